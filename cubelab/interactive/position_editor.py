"""The editor widget: carries events from the page to a `History` and drawings and answers back."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Any

import anywidget
import traitlets

from ..cube.decision import CubeDecision
from ..cube.models import CubeModel, checked_model
from ..engine.evaluator import Evaluation
from ..engine.rollout import Rollout
from ..engine.rollout_run import rollout
from ..engine.rollout_settings import PRESETS, RolloutSettings
from ..engine.search import RankedPlays, Search, table_of
from ..errors import CubelabError, SettingsError
from ..game import Position, Situation
from ..notation.detect import parse_situation
from ..score.met import MatchEquityTable
from ..wording import counted
from .assets import script, style
from .fallback import WithFallback
from .latest import Latest, Report
from .opinion import opinion, opinion_values, rollout_status, rollout_values
from .picture import board_picture, zones
from .setup import History, Setup

#: Seconds between two looks at a running rollout.
_OFTEN = 0.25


class Editor(WithFallback, anywidget.AnyWidget):
    """A board to set up, with the verdict beside it; see `cubelab.editor`."""

    _esm = script("editor.js")
    _css = style()

    #: What is set up, and whatever of it is shown: drawing, ids, values of the controls.
    view = traitlets.Dict().tag(sync=True)
    #: Static opinion, look-ahead and rollout; each names the `number` of the view that it is about.
    static = traitlets.Dict().tag(sync=True)
    deep = traitlets.Dict().tag(sync=True)
    rolled = traitlets.Dict().tag(sync=True)
    #: A running rollout.
    progress = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        subject: Situation | Position | str | None,
        *,
        ply: int,
        met: str | MatchEquityTable | None,
        model: CubeModel | None,
    ):
        # A refused argument leaves an object that is closed when it is forgotten.
        self._shallow, self._thorough, self._roller = Latest(), Latest(), Latest()
        self._stop = threading.Event()
        Search(ply)
        self._ply, self._met = ply, table_of(met)
        self._model = None if model is None else checked_model(model)
        self._history = History(Setup.of(_situation_of(subject)))
        self._number = 0
        self._answers: dict[str, Evaluation | RankedPlays | CubelabError] = {}
        self._rollouts: dict[tuple[Situation, str], Rollout] = {}
        super().__init__()
        self.on_msg(lambda _widget, content, _buffers: self.handle(content))
        self._show()

    @property
    def setup(self) -> Setup:
        """What is on the board at present, legal or not."""
        return self._history.present

    @property
    def situation(self) -> Situation:
        """What is set up at present.

        Raises
        ------
        CubelabError
            Why it is no situation of the game.
        """
        return self.setup.situation()

    @property
    def decision(self) -> CubeDecision | None:
        """The cube decision shown at present: rolled out, else by look-ahead, else static; None where there is none."""
        known = self.rollout
        if known is not None:
            return known.decision
        for depth in ("deep", "static"):
            answer = self._answers.get(depth)
            if isinstance(answer, Evaluation):
                return answer.decision
        return None

    @property
    def plays(self) -> RankedPlays | None:
        """The ranking of plays shown at present; None without dice."""
        answer = self._answers.get("deep", self._answers.get("static"))
        return answer if isinstance(answer, RankedPlays) else None

    @property
    def rollout(self) -> Rollout | None:
        """The longest rollout so far of the situation set up at present; None where there is none."""
        try:
            subject = _rolled_subject(self.situation)
        except CubelabError:
            return None
        known = [rollout for (situation, _), rollout in list(self._rollouts.items()) if situation == subject]
        return max(known, key=lambda rollout: rollout.count, default=None)

    def load(self, subject: Situation | Position | str) -> None:
        """Put something else on the board; undo brings back what was there.

        Raises
        ------
        CubelabError
            A text that is no position.
        """
        before = self._history
        self._become(History(Setup.of(_situation_of(subject)), (*before.past, before.present)))

    def handle(self, event: Mapping[str, Any]) -> None:
        """React to something the user did: an event of `Setup.after`, ``undo``, ``redo``, ``rollout``, ``stop``."""
        match event:
            case {"type": "rollout", "preset": str(preset)} if preset in PRESETS:
                self._roll(preset)
            case {"type": "stop"}:
                self._stop.set()
            case _:
                self._become(self._history.after(event))

    def wait(self, seconds: float = 60.0) -> bool:
        """Wait for everything in the background; False if that takes longer. For scripts: a page never waits."""
        end = time.monotonic() + seconds
        return all(each.wait(max(end - time.monotonic(), 0.0)) for each in self._workers)

    def close(self) -> None:
        """Stop all work and forget the widget."""
        self._stop.set()
        for each in self._workers:
            each.drop()
        super().close()

    def fallback_html(self) -> str:
        label = self.decision.label if self.decision is not None else ""
        return f"{board_picture(self.setup, self._best_play())}<p>{escape(label)}</p>"

    @property
    def _workers(self) -> tuple[Latest, ...]:
        return self._shallow, self._thorough, self._roller

    def _become(self, history: History) -> None:
        changed = history.present != self._history.present
        self._history = history
        if changed:
            # Nothing about the old position may arrive once the new one is shown.
            self._stop.set()
            for each in self._workers:
                each.drop()
            self._number += 1
            self._answers = {}
        self._show(changed)

    def _show(self, changed: bool = True) -> None:
        setup, history = self.setup, self._history
        situation, problem = None, ""
        try:
            situation = setup.situation()
        except CubelabError as error:
            problem = str(error)
        self.view = {
            "number": self._number,
            "svg": board_picture(setup, self._best_play()),
            "zones": zones(setup),
            "controls": setup.terms.controls(),
            "turn": setup.turn,
            "dice": list(setup.dice),
            "xgid": "" if situation is None else situation.xgid,
            "gnuid": "" if situation is None else _gnuid(situation),
            "problem": problem,
            "refusal": history.refusal,
            "undo": bool(history.past),
            "redo": bool(history.future),
            "can_roll_out": situation is not None and situation.dice is None,
            "presets": {name: _preset_text(settings) for name, settings in PRESETS.items()},
            "deep": f"{self._ply}-ply",
        }
        if not changed:
            return
        self.progress = {"number": self._number, "running": False}
        known = self.rollout if situation is not None and situation.dice is None else None
        self.rolled = {"number": self._number} if known is None else self._numbered(rollout_values(known))
        if situation is not None:
            self._ask(self._shallow, "static", situation, 0, "0-ply")
            if self._ply:
                self._ask(self._thorough, "deep", situation, self._ply, f"{self._ply}-ply")

    def _ask(self, worker: Latest, depth: str, situation: Situation, ply: int, source: str) -> None:
        """Have an opinion formed in the background and shown in the trait named `depth`."""

        def job(report: Report) -> None:
            report(opinion(situation, ply, self._met, self._model))

        def deliver(answer: Evaluation | RankedPlays | CubelabError) -> None:
            self._answers[depth] = answer
            values = self._numbered(opinion_values(answer, source))
            best = self._best_play()
            if best is not None:
                values["svg"] = board_picture(self.setup, best)
            setattr(self, depth, values)

        worker.submit(job, deliver)

    def _best_play(self):
        plays = self.plays
        return plays[0].play if plays is not None and len(plays) else None

    def _numbered(self, values: dict[str, Any]) -> dict[str, Any]:
        return {"number": self._number, **values}

    def _roll(self, preset: str) -> None:
        """Roll out what is set up, or go on with the rollout of it that was stopped."""
        try:
            situation = self.situation
            if situation.dice is not None:
                raise SettingsError("a rollout settles the cube before the roll: take the dice away first")
        except CubelabError as error:
            self.rolled = self._numbered(opinion_values(error, "rollout"))
            return
        self._stop.set()
        self._stop = stop = threading.Event()
        key = (_rolled_subject(situation), preset)
        settings, known, last = PRESETS[preset], self._rollouts.get(key), 0.0
        total = settings.trials if known is None or known.interrupted else known.count + settings.trials
        self.progress = self._numbered({"running": True, "done": 0, "total": total, "text": "starting"})

        def job(report: Report) -> None:
            def progress(so_far: Rollout) -> None:
                nonlocal last
                if stop.is_set():
                    # The documented way out of a rollout: it returns what was done.
                    raise KeyboardInterrupt
                if time.monotonic() - last >= _OFTEN:
                    last = time.monotonic()
                    report((so_far, True))

            try:
                if known is None:
                    result = rollout(situation, settings, met=self._met, progress=progress)
                else:
                    result = known.extend(max(total - known.count, 1), progress=progress)
            except CubelabError as error:
                report(error)
                return
            # Kept also when the board has changed meanwhile: coming back shows it again.
            self._rollouts[key] = result
            report((result, False))

        def deliver(answer: tuple[Rollout, bool] | CubelabError) -> None:
            if isinstance(answer, CubelabError):
                self.progress = self._numbered({"running": False})
                self.rolled = self._numbered(opinion_values(answer, "rollout"))
                return
            so_far, running = answer
            text = rollout_status(so_far, total if running else None)
            self.progress = self._numbered({"running": running, "done": so_far.count, "total": total, "text": text})
            self.rolled = self._numbered(rollout_values(so_far))

        self._roller.submit(job, deliver)


def _situation_of(subject: Situation | Position | str | None) -> Situation:
    match subject:
        case None:
            return Situation(Position.start())
        case Situation():
            return subject
        case Position():
            return Situation(subject)
        case str():
            return parse_situation(subject)
    raise SettingsError(f"cannot edit {type(subject).__name__}: give a Situation, a Position or an id")


def _rolled_subject(situation: Situation) -> Situation:
    """What of a situation a rollout depends on."""
    return replace(situation, dice=None, offer=None)


def _gnuid(situation: Situation) -> str:
    try:
        return situation.gnuid
    except CubelabError:
        return ""  # it has no place for a pending beaver


def _preset_text(settings: RolloutSettings) -> str:
    depth = "whole games" if settings.truncate is None else counted(settings.truncate, "half-move")
    return f"{settings.trials} × {depth}, {settings.ply}-ply"
