// The editor: sends what is clicked and typed to Python, which answers with the drawing and the verdicts.

const SVG = "http://www.w3.org/2000/svg";
const NAMES = ["bottom (light)", "top (dark)"];

/** The drawing with a transparent layer of places over it, which can be clicked, dragged between and typed on. */
function boardPart(send) {
  const picture = make("div", { class: "cubelab-picture", "aria-hidden": "true" });
  const layer = document.createElementNS(SVG, "svg");
  layer.setAttribute("class", "cubelab-zones");
  layer.setAttribute("role", "group");
  layer.setAttribute("aria-label", "Board. Arrow keys move, Enter puts a checker, Delete takes one away.");
  const places = new Map(); // key → element
  let zones = new Map(); // key → {kind, id, box, label}
  let current = "place:6";
  let brush = "1";
  let held = null;

  const keyOf = (zone) => `${zone.kind}:${zone.id}`;
  const zoneOf = (element) => zones.get(element?.dataset?.key);
  const focusOn = (key) => {
    places.get(current)?.setAttribute("tabindex", "-1");
    current = key;
    places.get(key).setAttribute("tabindex", "0");
    places.get(key).focus({ preventScroll: true });
  };

  function act(zone, remove) {
    const { kind, id } = zone;
    if (kind === "place") {
      send(remove || brush === "remove" ? { type: "remove", place: id } : { type: "add", place: id, side: Number(brush) });
    } else if (kind === "tray") send({ type: "add", place: id, side: 1 });
    else if (kind === "cube") send({ type: "cube", side: id });
    else if (kind === "turn") send({ type: "turn", side: id });
    else if (remove) send({ type: "unroll" });
    else send(zone.value ? { type: "die", index: id, value: (zone.value % 6) + 1 } : { type: "roll" });
  }

  /** The nearest place in a direction, by the middles of the rectangles. */
  function neighbour(key, dx, dy) {
    const middle = ({ box: [x, y, w, h] }) => [x + w / 2, y + h / 2];
    const [x0, y0] = middle(zones.get(key));
    let best = null, least = Infinity;
    for (const [other, zone] of zones) {
      const [x, y] = middle(zone);
      const along = (x - x0) * dx + (y - y0) * dy;
      const aside = Math.abs((x - x0) * dy) + Math.abs((y - y0) * dx);
      if (other !== key && along > 1 && along + 4 * aside < least) [best, least] = [other, along + 4 * aside];
    }
    return best;
  }

  layer.addEventListener("keydown", (event) => {
    const zone = zoneOf(event.target);
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!zone || event.altKey || event.metaKey) return;
    if (event.ctrlKey && event.key === "z") send({ type: "undo" });
    else if (event.ctrlKey && event.key === "y") send({ type: "redo" });
    else if (event.ctrlKey) return;
    else if (arrow) {
      const next = neighbour(keyOf(zone), ...arrow);
      if (next) focusOn(next);
    } else if (["Enter", " ", "+"].includes(event.key)) act(zone, false);
    else if (["Delete", "Backspace", "-"].includes(event.key)) act(zone, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  layer.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    event.stopPropagation(); // JupyterLab's own menu
  });
  layer.addEventListener("pointerdown", (event) => {
    held = zoneOf(event.target);
    if (held) focusOn(keyOf(held));
    event.preventDefault();
  });
  layer.addEventListener("pointercancel", () => (held = null));
  layer.addEventListener("pointerup", (event) => {
    const start = held;
    const end = zoneOf(layer.getRootNode().elementFromPoint(event.clientX, event.clientY));
    held = null;
    if (!start || !end) return;
    const movable = (zone) => zone.kind === "place" || zone.kind === "tray";
    if (start === end) act(start, event.button === 2 || event.shiftKey);
    else if (movable(start) && movable(end)) send({ type: "move", start: start.id, end: end.id });
  });

  return {
    root: make("div", { class: "cubelab-board" }, picture, layer),
    setBrush(value) {
      brush = value;
    },
    draw(svg) {
      picture.innerHTML = svg;
      layer.setAttribute("viewBox", picture.querySelector("svg").getAttribute("viewBox"));
    },
    update(list, dice) {
      zones = new Map(list.map((zone) => [keyOf(zone), zone.kind === "die" ? { ...zone, value: dice[zone.id] } : zone]));
      for (const [key, zone] of zones) {
        let place = places.get(key);
        if (!place) {
          place = document.createElementNS(SVG, "rect");
          place.dataset.key = key;
          place.setAttribute("role", "button");
          place.setAttribute("tabindex", key === current ? "0" : "-1");
          place.setAttribute("rx", "3");
          ownKeys(place);
          places.set(key, place);
          layer.append(place);
        }
        ["x", "y", "width", "height"].forEach((name, i) => place.setAttribute(name, zone.box[i]));
        place.setAttribute("aria-label", zone.label);
      }
    },
  };
}

/** Two fields for ids: what is typed goes out after a moment, what is not being typed shows the present id. */
function idFields(send) {
  let timer = null, typing = null, shown = -1, latest = null;
  const field = (name, label) => {
    const input = make("input", {
      type: "text", spellcheck: "false", autocomplete: "off", "data-id": name,
      input: () => {
        typing = input;
        clearTimeout(timer);
        timer = setTimeout(() => send({ type: "text", text: input.value }), 150);
      },
      focus: () => input.select(),
      blur: () => {
        typing = null;
        if (latest && !latest.refusal) update(latest);
      },
    });
    return [input, labelled(label, input)];
  };
  const [xgid, xgidLabel] = field("xgid", "XGID");
  const [gnuid, gnuidLabel] = field("gnuid", "GNU id");
  function update(view) {
    for (const [input, value] of [[xgid, view.xgid], [gnuid, view.gnuid]]) {
      // A refused text stays, so that it can be mended.
      if (input !== typing && (view.number !== shown || !view.refusal)) input.value = value;
      input.setAttribute("aria-invalid", String(input === typing && Boolean(view.refusal)));
    }
    shown = view.number;
    latest = view;
  }
  return { nodes: [xgidLabel, gnuidLabel], update };
}

function rolloutPart(send) {
  const preset = select([], () => {});
  const start = button("Roll out", () => send({ type: "rollout", preset: preset.value }));
  const stop = button("Stop", () => send({ type: "stop" }), "Ends the rollout and keeps the trials that were done");
  const bar = make("progress", { max: 1, value: 0, "aria-label": "Progress of the rollout" });
  const text = make("div", { class: "cubelab-status", role: "status" });
  return {
    root: make("div", { class: "cubelab-rollout" }, make("div", {}, labelled("Rollout", preset), start, stop), bar, text),
    update(view, progress, rolled) {
      if (!preset.options.length) {
        for (const [name, about] of Object.entries(view.presets)) preset.append(make("option", { value: name }, `${name}: ${about}`));
      }
      const running = Boolean(progress.running), known = Boolean(rolled.rows);
      start.disabled = running || !view.can_roll_out;
      start.textContent = known && !running ? "Go on" : "Roll out";
      stop.disabled = !running;
      bar.hidden = !running;
      bar.value = running ? progress.done / progress.total : 0;
      text.textContent = running ? progress.text : known ? rolled.status : view.can_roll_out ? "" : view.problem ? "" : "The cube is rolled out before the roll: take the dice away for it.";
    },
  };
}

function render({ model, el }) {
  const send = (event) => model.send(event);
  const board = boardPart(send);
  const ids = idFields(send);
  const terms = termsControls(NAMES, (field, value) => send({ type: "set", field, value }));
  const rolls = rolloutPart(send);
  const message = make("p", { class: "cubelab-message", role: "alert" });
  const verdict = make("p", { class: "cubelab-verdict", role: "status" });
  const numbers = make("div", { class: "cubelab-numbers" });
  let patience = null;

  const brushes = [["1", "+ light"], ["-1", "+ dark"], ["remove", "take away"]].map(([value, text], index) => {
    const input = make("input", {
      type: "radio", name: `brush-${Math.random()}`, value, change: () => {
        board.setBrush(value);
        brushes.forEach((label) => (label.firstChild.checked = label === input.parentElement));
      },
    });
    input.checked = index === 0;
    return make("label", {}, input, make("span", {}, text));
  });
  const undo = button("Undo", () => send({ type: "undo" }));
  const redo = button("Redo", () => send({ type: "redo" }));
  const tools = make("div", { class: "cubelab-tools" },
    make("span", { role: "radiogroup", "aria-label": "A click on a point does" }, ...brushes),
    button("Start", () => send({ type: "start" }), "The starting position"),
    button("Clear", () => send({ type: "clear" }), "Take all checkers off the board"),
    button("Swap seats", () => send({ type: "swap" }), "The same decision seen from the other side of the table"),
    undo, redo);

  const turn = select([[1, NAMES[0]], [-1, NAMES[1]]], (value) => send({ type: "turn", side: Number(value) }));
  const die = (index) =>
    select([[0, "–"], ...[1, 2, 3, 4, 5, 6].map((pip) => [pip, pip])], (value) => send({ type: "die", index, value: Number(value) }));
  const dice = [die(0), die(1)];
  const roll = make("fieldset", {},
    make("legend", {}, "Turn and dice"),
    labelled("On roll", turn), labelled("Die 1", dice[0]), labelled("Die 2", dice[1]),
    button("No dice", () => send({ type: "unroll" })));

  const side = make("div", { class: "cubelab-side" },
    make("div", { class: "cubelab-ids" }, ...ids.nodes), message, verdict, numbers, rolls.root, roll, terms.root);
  const hint = make("p", { class: "cubelab-hint" },
    "Click puts a checker, right click or shift takes it away, drag moves it. The cube, the dice and the players' lines can be clicked too.");
  const root = makeRoot("editor", make("div", { class: "cubelab-main" }, board.root, tools, hint), side);
  el.append(root);

  function showView() {
    const view = model.get("view");
    board.draw(view.svg);
    board.update(view.zones, view.dice);
    ids.update(view);
    terms.update(view.controls);
    put(turn, view.turn);
    dice.forEach((control, index) => put(control, view.dice[index]));
    undo.disabled = !view.undo;
    redo.disabled = !view.redo;
    message.textContent = view.refusal || view.problem;
    showAnswers();
  }

  /** Only opinions about what is shown count; the deepest one speaks the verdict. */
  function showAnswers() {
    const view = model.get("view");
    const fresh = (name) => (model.get(name).number === view.number ? model.get(name) : {});
    const rolled = fresh("rolled");
    const opinions = [fresh("static"), fresh("deep"), rolled].filter((each) => each.verdict);
    rolls.update(view, fresh("progress"), rolled);
    root.dataset.number = view.number;
    root.dataset.source = "";
    const last = opinions[opinions.length - 1];
    if (view.problem || !last) {
      verdict.textContent = view.problem ? "" : "Thinking …";
      numbers.replaceChildren();
      clearTimeout(patience);
      patience = setTimeout(() => {
        if (verdict.textContent) verdict.textContent = "Thinking … The engine is compiled when it is first used, in about half a minute.";
      }, 4000);
      return;
    }
    clearTimeout(patience);
    root.dataset.source = last.source;
    verdict.replaceChildren(make("strong", {}, last.verdict), make("small", {}, last.source));
    const shown = opinions.filter((each) => each.rows);
    numbers.replaceChildren(...(last.rows?.length ? [answersTable(shown), make("p", { class: "cubelab-chances" }, ...chancesItems(last.chances))] : []));
    const drawn = opinions.filter((each) => each.svg);
    if (drawn.length) board.draw(drawn[drawn.length - 1].svg);
  }

  return follow(model, { view: showView, static: showAnswers, deep: showAnswers, rolled: showAnswers, progress: showAnswers });
}

export default { render };
