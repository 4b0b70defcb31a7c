"""A rollout in words, and as a table for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from ..game.html import block, number, percent, table
from ..wording import counted
from .rollout_frames import BRANCHES, equities_frame
from .tally import HALF_MOVES, PLAYED_OUT

if TYPE_CHECKING:
    from .rollout import Rollout
    from .rollout_settings import RolloutSettings

#: What the chances of a cubeful rollout are, which is not what a cubeless one gives.
CUBEFUL_CHANCES = (
    "chances, and the cubeless equity they make, are those of games played with the cube: once it is turned, both "
    "sides play for what gammons are then worth; games that end by a pass count with the evaluator's chances at that "
    "moment"
)


def settings_text(settings: RolloutSettings) -> str:
    """How the trials are played, in a line."""
    parts = [
        "full games" if settings.truncate is None else f"truncated after {counted(settings.truncate, 'half-move')}"
    ]
    play = "0-ply"
    if settings.ply and settings.deep_moves:
        play = f"{settings.ply}-ply for {counted(settings.deep_moves, 'half-move')}, then 0-ply"
    parts.append(f"plays {play}")
    parts.append(f"cube {settings.cube_ply}-ply" if settings.cubeful else "no cube")
    luck = f"luck taken out{' by 1-ply values' if settings.luck_ply else ''}"
    parts.append(luck if settings.variance_reduction else "raw results")
    return f"{', '.join(parts)}; seed {settings.seed}"


def verdict_text(rollout: Rollout) -> str | None:
    """The verdict and how sure it is; None where the rollout settles no cube decision."""
    if not rollout.settings.cubeful or rollout.cube_first:
        return None
    decision, sure = rollout.decision, rollout.confidence
    if sure is None or not np.isfinite(sure.verdict_probability):
        return f"{decision.label}."
    return (
        f"{decision.label}. The verdict is right with a probability of {chance(sure.verdict_probability)} "
        f"(double or not {chance(sure.double_probability)}, the answer {chance(sure.response_probability)}); "
        f"expected cost if the double decision is wrong: {sure.regret:.5f}."
    )


def cube_rows(rollout: Rollout) -> list[tuple[str, list[str]]]:
    """What happened to the cube and how long games were: a title, and a text for each branch."""
    tally, branches = rollout.tally, range(rollout.branches)

    def texts(function) -> list[str]:
        return [function(branch) for branch in branches]

    def turned(branch: int) -> str:
        return _share(tally.first[branch][:HALF_MOVES].sum(), rollout.count)

    def turn_time(branch: int) -> str:
        counts = tally.first[branch][:HALF_MOVES]
        if not counts.sum():
            return ""
        return f"{counts @ np.arange(HALF_MOVES) / counts.sum():.1f}"

    def turns(branch: int) -> str:
        return f"{tally.turns[branch] @ np.arange(tally.turns.shape[1]) / rollout.count:.2f}"

    def passes(side: int) -> list[str]:
        return texts(lambda branch: _share(tally.ends[branch, :, PLAYED_OUT + side].sum(), rollout.count))

    def length(branch: int) -> str:
        low, middle, high = (tally.length_quantile(branch, share) for share in (0.05, 0.5, 0.95))
        return f"{tally.mean_length(branch):.1f} ({low} – {middle} – {high})"

    rows = []
    if rollout.settings.cubeful:
        rows += [
            ("cube turned in", texts(turned)),
            ("turns a game", texts(turns)),
            ("half-moves before the first turn", texts(turn_time)),
            ("the opponent passed", passes(0)),
            ("the mover passed", passes(1)),
        ]
        for level in np.flatnonzero(tally.ends.sum(axis=(0, 2))):
            shares = texts(lambda branch, level=level: _share(tally.ends[branch, level].sum(), rollout.count))
            rows.append((f"final cube {rollout.situation.cube.value * 2 ** int(level)}", shares))
    rows.append(("half-moves, mean (5 – 50 – 95 %)", texts(length)))
    return rows


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if count else "–"


def chance(probability: float) -> str:
    """A probability near 0 or 1, never rounded to either."""
    percents = 100 * probability
    if percents > 99.99:
        return "over 99.99 %"
    return "under 0.01 %" if percents < 0.01 else f"{percents:.2f} %"


def plain_text(rollout: Rollout) -> str:
    """Some lines: options with standard errors, verdict, settings."""
    lines = [f"Rollout of {rollout.situation.xgid}", count_text(rollout)]
    for row in equities_frame(rollout).to_dict("records"):
        error = "" if not np.isfinite(row["se"]) or row["option"] == "double, pass" else f" ± {row['se']:.4f}"
        lines.append(f"  {row['option']:13} {number(row['equity'])}{error}")
    verdict = verdict_text(rollout)
    return "\n".join([*lines, *([verdict] if verdict else [])])


def count_text(rollout: Rollout) -> str:
    """Trials and settings, in a line."""
    stopped = " (stopped early)" if rollout.interrupted else ""
    return f"{counted(rollout.count, 'trial')}{stopped}, {settings_text(rollout.settings)}"


def html(rollout: Rollout) -> str:
    """A table that takes its colours from the page, light or dark."""
    money = rollout.stakes.money
    unit = "points per cube" if money else "EMG"
    head = ["", f"equity ({unit})", "± standard error", *([] if money else ["MWC"])]
    body = []
    for row in equities_frame(rollout).to_dict("records"):
        error = "" if not np.isfinite(row["se"]) or row["option"] == "double, pass" else f"{row['se']:.4f}"
        cells = [row["option"], number(row["equity"]), error]
        if not money:
            cells.append(percent(row["mwc"]))
        body.append(cells)
    cube = [[title, *texts] for title, texts in cube_rows(rollout)]
    names = ["", *BRANCHES[: rollout.branches]] if rollout.branches > 1 else ["", "all games"]
    note = f"<div style='opacity:.7'>{escape(CUBEFUL_CHANCES)}</div>" if rollout.settings.cubeful else ""
    return block(
        verdict_text(rollout) or "Rollout",
        table(head, body),
        rollout.probabilities.html_table(),
        note,
        f"<details><summary>Cube and length of games</summary>{table(names, cube)}</details>",
        f"<div style='opacity:.7'>{escape(count_text(rollout))}<br/>"
        f"<code>{escape(rollout.situation.xgid)}</code></div>",
    )
