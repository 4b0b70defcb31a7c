// Sliders for take points: sends what is moved to Python, which answers with points, chart and verdict.

function pointsTable(points) {
  const head = make("thead", {},
    make("tr", {}, make("td"), make("th", { colspan: 3, scope: "colgroup" }, "You"), make("th", { colspan: 3, scope: "colgroup" }, "Opponent")),
    make("tr", {}, make("th", { scope: "col" }, "Point"),
      ...["dead", "live", "model", "dead", "live", "model"].map((name) => make("th", { scope: "col" }, name))));
  const rows = points.rows.map((row) =>
    make("tr", { "data-point": row.name }, make("th", { scope: "row" }, row.name), ...[...row.mover, ...row.opponent].map((cell, i) => make("td", { "data-model": i % 3 === 2 }, cell))));
  return make("table", {}, make("caption", {}, "Each side's own win chance at the point"), head, make("tbody", {}, ...rows));
}

function render({ model, el }) {
  const send = (event) => model.send(event);
  const terms = termsControls(["you", "opponent"], (field, value) => send({ type: "set", field, value }));
  const sliders = make("fieldset", { class: "cubelab-sliders" }, make("legend", {}, "Chances"));
  const inputs = new Map();
  const games = make("p", { class: "cubelab-chances" });
  const message = make("p", { class: "cubelab-message", role: "alert" });
  const verdict = make("p", { class: "cubelab-verdict", role: "status" });
  const chart = make("div"), table = make("div", { class: "cubelab-numbers" }), reasons = make("details", {}, make("summary", {}, "Points that do not exist, and why"), make("ul"));
  const root = makeRoot("pane",
    make("div", { class: "cubelab-main" }, verdict, message, chart, games),
    make("div", { class: "cubelab-side" }, sliders, terms.root, table, reasons));
  el.append(root);

  function showView() {
    const view = model.get("view");
    for (const { name, label, value } of view.sliders) {
      if (!inputs.has(name)) {
        const input = make("input", {
          type: "range", min: 0, max: 1, step: name === "efficiency" ? 0.01 : 0.005, name,
          input: (event) => send({ type: "slide", name, value: Number(event.target.value) }),
        });
        const output = make("output");
        inputs.set(name, { input, output });
        const row = labelled(label, input);
        row.append(output);
        sliders.append(row);
      }
      const { input, output } = inputs.get(name);
      // While a slider is being moved its own place is newer than what comes back.
      if (document.activeElement !== input) input.value = value;
      output.textContent = name === "efficiency" ? value.toFixed(2) : `${(100 * value).toFixed(1)} %`;
    }
    terms.update(view.controls);
    games.replaceChildren(...chancesItems(view.games));
    root.dataset.number = view.number;
  }

  function showResult() {
    const result = model.get("result");
    if (result.number !== model.get("view").number) return; // of what is no longer shown
    root.dataset.shown = result.number;
    message.textContent = result.problem || "";
    if (result.problem) {
      verdict.replaceChildren();
      chart.replaceChildren();
      table.replaceChildren();
      reasons.hidden = true;
      return;
    }
    verdict.replaceChildren(make("strong", {}, result.decision.verdict), make("small", {}, result.terms));
    chart.innerHTML = result.chart;
    table.replaceChildren(pointsTable(result.points), answersTable([result.decision]));
    reasons.hidden = !result.points.reasons.length;
    reasons.lastChild.replaceChildren(...result.points.reasons.map((text) => make("li", {}, text)));
  }

  return follow(model, { view: showView, result: showResult });
}

export default { render };
