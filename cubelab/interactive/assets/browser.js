// The browser through decisions: sends filters and steps to Python, which answers with the decision to show.

function render({ model, el }) {
  const send = (event) => model.send(event);
  const filter = (name) => (value) => send({ type: "filter", name, value: name === "least" ? Number(value) : value });
  const filters = { least: select([], filter("least")), kind: select([], filter("kind")), player: select([], filter("player")), order: select([], filter("order")) };
  const labels = { least: "Error from", kind: "Kind", player: "Player", order: "Order" };
  const all = { kind: "all", player: "both" };
  const texts = { match: "as played", size: "largest error first" };

  const first = button("First", () => send({ type: "go", place: 0 }), "First");
  const back = button("‹ Previous", () => send({ type: "step", by: -1 }), "Left arrow");
  const next = button("Next ›", () => send({ type: "step", by: 1 }), "Right arrow");
  const slider = make("input", { type: "range", min: 0, step: 1, "aria-label": "Decision", input: (event) => send({ type: "go", place: Number(event.target.value) }) });
  const counter = make("span", { class: "cubelab-counter", role: "status" });
  const picture = make("div", { class: "cubelab-picture" });
  const where = make("p"), headline = make("p", { class: "cubelab-verdict" }), verdict = make("p"), numbers = make("div", { class: "cubelab-numbers" }), flags = make("p", { class: "cubelab-hint" });
  const message = make("p", { class: "cubelab-message", role: "alert" });
  const id = make("input", { type: "text", readonly: true, focus: (event) => event.target.select() });
  const edit = button("Open in the editor", () => send({ type: "edit" }));
  const details = make("div", { class: "cubelab-side" }, where, headline, verdict, numbers, flags,
    make("div", { class: "cubelab-ids" }, labelled("XGID", id)), edit);
  const pictures = make("div", { class: "cubelab-main" }, picture);
  const root = makeRoot("pane",
    make("div", { class: "cubelab-filters" },
      ...Object.entries(filters).map(([name, control]) => labelled(labels[name], control)), first, back, next, slider, counter),
    message, pictures, details);
  root.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || ["INPUT", "SELECT"].includes(event.target.tagName)) return;
    send({ type: "step", by });
    event.preventDefault();
  });
  el.append(root);

  function options(control, values, text) {
    if (control.options.length === values.length) return;
    control.replaceChildren(...values.map((value) => make("option", { value }, text(value))));
  }

  function show() {
    const view = model.get("view");
    options(filters.least, view.leasts, (value) => (value ? value.toFixed(3) : "all"));
    options(filters.kind, ["", ...view.kinds], (value) => value || all.kind);
    options(filters.player, ["", ...view.players], (value) => value || all.player);
    options(filters.order, view.orders, (value) => texts[value]);
    for (const [name, control] of Object.entries(filters)) control.value = view[name];
    slider.max = Math.max(view.count - 1, 0);
    if (document.activeElement !== slider) slider.value = view.place;
    counter.textContent = view.count ? `${view.place + 1} of ${view.count}` : "no decision passes these filters";
    first.disabled = back.disabled = view.place === 0;
    next.disabled = view.place >= view.count - 1;
    message.textContent = view.refusal;
    pictures.hidden = details.hidden = !view.decision;
    root.dataset.place = view.place;
    if (!view.decision) return;
    const decision = view.decision;
    picture.innerHTML = decision.svg;
    where.textContent = decision.where;
    headline.replaceChildren(make("strong", {}, decision.headline));
    verdict.textContent = decision.verdict;
    const table = decision.rows.length ? [answersTable([{ ...decision, source: "Equity" }])] : [];
    numbers.replaceChildren(...table, make("p", { class: "cubelab-chances" }, ...chancesItems(decision.chances)));
    flags.textContent = decision.flags;
    id.value = decision.xgid;
  }

  return follow(model, { view: show });
}

export default { render };
