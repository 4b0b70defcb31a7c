// What all widgets of cubelab share: making elements, the controls for score and cube, tables of answers.

/** An element with attributes (functions become listeners) and children. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  if (["button", "input", "select", "summary"].includes(tag)) ownKeys(element);
  element.append(...children);
  return element;
}

/** The root of a widget. */
function makeRoot(name, ...children) {
  return make("div", { class: `cubelab cubelab-${name}` }, ...children);
}

/** Keeps JupyterLab's shortcuts (d d deletes a cell) from what has the focus; it looks at that element first. */
function ownKeys(element) {
  element.setAttribute("data-lm-suppress-shortcuts", "true");
}

/** A control with its label in front; the name alone is read out, not the options that stand in the label too. */
function labelled(text, control, title = "") {
  control.setAttribute("aria-label", text);
  return make("label", { title }, make("span", {}, text), control);
}

/** A select; options are [value, text] pairs. */
function select(options, onchange) {
  const choices = options.map(([value, text]) => make("option", { value }, text));
  return make("select", { change: (event) => onchange(event.target.value) }, ...choices);
}

function button(text, onclick, title = "") {
  return make("button", { type: "button", title, click: onclick }, text);
}

/** Set what a control shows, unless somebody is typing in it. */
function put(control, value) {
  if (document.activeElement === control && control.type === "number") return;
  if (String(control.value) !== String(value)) control.value = value;
}

/**
 * Controls for match length, score, Crawford, cube, Jacoby and beavers; `send(field, value)` is called on a change.
 * `names` are the players at the bottom and at the top.
 */
function termsControls(names, send) {
  const number = (field, most) =>
    make("input", {
      type: "number", min: 0, max: most, step: 1, inputmode: "numeric",
      input: (event) => send(field, event.target.value === "" ? null : Number(event.target.value)),
    });
  const tick = (field) => make("input", { type: "checkbox", change: (event) => send(field, event.target.checked ? 1 : 0) });
  const cubes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map((value) => [value, value]);
  const controls = {
    length: number("length", 99),
    score_bottom: number("score_bottom", 98),
    score_top: number("score_top", 98),
    crawford: tick("crawford"),
    cube: select(cubes, (value) => send("cube", Number(value))),
    owner: select([[0, "centred"], [1, names[0]], [-1, names[1]]], (value) => send("owner", Number(value))),
    jacoby: tick("jacoby"),
    beavers: tick("beavers"),
  };
  const root = make("fieldset", { class: "cubelab-terms" },
    make("legend", {}, "Score, cube and rules"),
    labelled("Match to", controls.length, "0 is money play"),
    labelled(`Score, ${names[0]}`, controls.score_bottom),
    labelled(`Score, ${names[1]}`, controls.score_top),
    labelled("Cube", controls.cube),
    labelled("Cube owner", controls.owner),
    labelled("Crawford game", controls.crawford),
    labelled("Jacoby rule", controls.jacoby, "Money play only"),
    labelled("Beavers", controls.beavers, "Money play only"),
  );
  return {
    root,
    update(values) {
      for (const [name, control] of Object.entries(controls)) {
        if (control.type === "checkbox") control.checked = Boolean(values[name]);
        else put(control, values[name]);
      }
      const money = values.length === 0;
      controls.crawford.disabled = money;
      controls.jacoby.disabled = controls.beavers.disabled = !money;
    },
  };
}

/** Table of the options of a decision, one column for each opinion (the deepest last). */
function answersTable(opinions) {
  const deepest = opinions[opinions.length - 1];
  const mwc = deepest.rows.some((row) => row.mwc);
  const head = make("tr", {}, make("th", { scope: "col" }, deepest.kind === "plays" ? "Play" : "Action"));
  for (const each of opinions) head.append(make("th", { scope: "col" }, each.source.replace(/,.*/, "")));
  if (mwc) head.append(make("th", { scope: "col" }, "MWC"));
  head.append(make("th", { scope: "col" }, "Loss"));
  const body = deepest.rows.map((row) => {
    const name = make("th", { scope: "row" }, (row.right ? "✓ " : ""), row.option);
    const line = make("tr", row.right ? { class: "right" } : {}, name);
    for (const each of opinions) {
      const same = each.rows.find((other) => other.option === row.option);
      line.append(make("td", {}, same ? same.equity + (same.se ? ` ± ${same.se}` : "") : ""));
    }
    if (mwc) line.append(make("td", {}, row.mwc));
    line.append(make("td", {}, row.error));
    return line;
  });
  const unit = deepest.unit ? `Equity in ${deepest.unit} per cube` : "";
  return make("table", {}, make("caption", {}, unit), make("thead", {}, head), make("tbody", {}, ...body));
}

/** Chances, each with its name before it. */
function chancesItems(chances) {
  return chances.map(({ name, value }) => make("span", {}, `${name} `, make("b", {}, value)));
}

/** Call `update` now and whenever one of the traits changes; returns the clean-up. */
function follow(model, updates) {
  const pairs = Object.entries(updates).map(([trait, update]) => [`change:${trait}`, () => update(model.get(trait))]);
  for (const [name, handler] of pairs) {
    handler();
    model.on(name, handler);
  }
  return () => pairs.forEach(([name, handler]) => model.off(name, handler));
}
