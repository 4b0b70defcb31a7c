"""Our numbers beside those that a saved match brings along from the program that analysed it.

Columns of the table (one row a decision that the file's program judged)
-------------------------------------------------------------------------
file, game, ply, player, kind, situation
    As in the table of decisions.
program, level
    Who judged, and how, in that program's own words.
best, best_theirs, agree
    The right action by us and by them, and whether it is the same: doubling or not, taking or not, or the play that
    leads to the same position.
cost, cost_theirs
    What the other's choice loses by our numbers, and ours by theirs, EMG (points per cube for money); 0 where we agree,
    missing where one side has no number for the other's choice.
error, error_theirs
    What the action that was made loses, by us and by them, EMG.
no_double, double_take, double_pass and the same with _theirs
    Cube decisions: the doubler's equities, EMG.
win, win_gammon, lose_gammon and the same with _theirs
    Cube decisions: chances before the roll, cumulative, of the side on roll.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..arguments import checked
from ..errors import CubelabError, SettingsError
from ..game import Situation
from ..game.play import Play
from ..records import Decision, Kind, Record, replay
from ..records.stored import Stored, StoredCandidate, StoredCube, Unit
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes

if TYPE_CHECKING:
    import pandas as pd

    from .analysis import MatchAnalysis

EQUITIES = ("no_double", "double_take", "double_pass")
CHANCES = ("win", "win_gammon", "lose_gammon")
#: Numbers with our column and theirs.
PAIRS = ("cost", "error", *EQUITIES, *CHANCES)
COLUMNS = (
    *("file", "game", "ply", "player", "kind", "situation", "program", "level", "best", "best_theirs", "agree"),
    *(name + end for name in PAIRS for end in ("", "_theirs")),
)
#: Equities nearer than this do not decide: stored numbers are rounded.
_TIE = 5e-4
#: Choices nearer than this are close ones.
_CLOSE = 0.2


@checked("analysis", "records", "met")
def compare_stored(
    analysis: MatchAnalysis, records: Record | Iterable[Record], met: str | MatchEquityTable | None = None
) -> pd.DataFrame:
    """Where our analysis and that of the file's own program differ.

    Parameters
    ----------
    analysis : MatchAnalysis
        Of these records; with ``checker_play`` plays are compared too.
    records : Record or iterable of Record
    met : str or MatchEquityTable, optional
        Table that turns stored match winning chances into equities where the file does not tell its own. Default
        Kazaross-XG2.

    Returns
    -------
    DataFrame
        Columns in `study.stored`; empty when the files store no analysis.

    Examples
    --------
    >>> import cubelab as cl
    >>> match = cl.read_match("match.xg")  # doctest: +SKIP
    >>> compare_stored(cl.analyse(match), match).query("not agree")  # doctest: +SKIP
    """
    import pandas as pd

    table = MatchEquityTable.load(met)
    records = [records] if isinstance(records, Record) else list(records)
    ours: dict[tuple, Mapping[str, Any]] = {
        (row["file"], row["game"], row["ply"], row["kind"]): {str(name): value for name, value in row.items()}
        for row in analysis.decisions.to_dict("records")
    }
    rows = [row for record in records for row in _rows(record, ours, table)]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    numbers = [name + end for name in PAIRS for end in ("", "_theirs")]
    return frame.astype({**dict.fromkeys(numbers, "float64"), "agree": "bool"})


@checked("comparison")
def stored_summary(comparison: pd.DataFrame) -> pd.DataFrame:
    """How far we and each program agree, per program, level and kind of decision.

    Parameters
    ----------
    comparison : DataFrame
        Of `compare_stored`.

    Returns
    -------
    DataFrame
        Columns: program, level, kind; ``decisions``, ``agree`` (share); ``close`` (decisions whose two choices are less
        than 0.2 apart by our numbers or theirs), ``agree_close``; ``rmse_no_double``, ``rmse_double_take`` (root mean
        square differences; the latter where both are positive, since some programs count the beaver below 0),
        ``rmse_win``, ``rmse_win_gammon``, ``bias_no_double`` (ours less theirs); ``cost`` and ``cost_theirs`` (mean
        over all decisions of what the other's choice loses by the one's numbers).
    """
    import pandas as pd

    if missing := [name for name in (*COLUMNS, "cost", "cost_theirs") if name not in comparison]:
        raise SettingsError(f"the frame lacks the column {missing[0]!r}: give what compare_stored returns")
    rows = []
    for names, group in comparison.groupby(["program", "level", "kind"], sort=True, observed=True):
        row = dict(zip(("program", "level", "kind"), names, strict=True))
        close = group[_is_close(group)]
        row |= {"decisions": len(group), "agree": group["agree"].mean()}
        row |= {"close": len(close), "agree_close": close["agree"].mean()}
        for name in ("no_double", "double_take", "win", "win_gammon"):
            numbers = group[[name, f"{name}_theirs"]]
            if name == "double_take":
                numbers = numbers[(numbers > 0).all(axis=1)]
            row[f"rmse_{name}"] = math.sqrt((numbers.diff(axis=1).iloc[:, 1] ** 2).mean())
        row["bias_no_double"] = (group["no_double"] - group["no_double_theirs"]).mean()
        row |= {name: group[name].fillna(0).mean() for name in ("cost", "cost_theirs")}
        rows.append(row)
    return pd.DataFrame(rows)


def stored_of(analysis: MatchAnalysis) -> dict[tuple[int, int], Stored]:
    """Our cube numbers in the form in which records keep those of other programs, for `write_match`.

    Parameters
    ----------
    analysis : MatchAnalysis
        Of one record.

    Returns
    -------
    dict
        By number of the game and of the decision's ply in it.

    Examples
    --------
    >>> import cubelab as cl
    >>> match = cl.read_match("match.mat")  # doctest: +SKIP
    >>> cl.write_match(match, "match.sgf", analyses=stored_of(cl.analyse(match)))  # doctest: +SKIP
    """
    ply = 0 if analysis.provenance is None else analysis.provenance.ply
    found = {}
    for row in analysis.decisions.to_dict("records"):
        equities = [row[name] for name in EQUITIES]
        if row["kind"] == "play" or any(math.isnan(value) for value in equities):
            continue
        in_match = not math.isnan(row["no_double_mwc"])
        no_double, double_take, double_pass = [row[f"{name}_mwc"] for name in EQUITIES] if in_match else equities
        chances = (row["win"], row["win_gammon"], row["win_backgammon"], row["lose_gammon"], row["lose_backgammon"])
        unit = Unit.MWC if in_match else Unit.POINTS
        cube = StoredCube(no_double, double_take, double_pass, chances, unit, f"{ply}-ply")
        found[row["game"], row["ply"]] = Stored(f"cubelab {__version__}", cube)
    return found


def _is_close(comparison: pd.DataFrame) -> pd.Series:
    """Cube decisions that could go either way by one side's numbers."""
    close = comparison["kind"] == "none"
    for end in ("", "_theirs"):
        no_double, double_take, double_pass = (comparison[name + end] for name in EQUITIES)
        doubled = double_take.clip(upper=double_pass)
        gap = (doubled - no_double).where(comparison["kind"] == "double", double_pass - double_take)
        close |= gap.abs() < _CLOSE
    return close


def _rows(record: Record, ours: Mapping[tuple, Mapping[str, Any]], table: MatchEquityTable) -> Iterator[dict[str, Any]]:
    for decision in replay(record):
        stored = decision.event.analysis if decision.event is not None else None
        row = ours.get((record.file, decision.game, decision.ply, decision.kind.value))
        if stored is None or row is None:
            continue
        numbers = None
        if decision.kind in (Kind.DOUBLE, Kind.TAKE) and stored.cube is not None:
            numbers = _cube(decision, stored.cube, row, table)
        elif decision.kind is Kind.PLAY and stored.plays is not None:
            numbers = _play(decision, stored, row, table)
        if numbers is not None:
            same = {name: row[name] for name in ("file", "game", "ply", "player", "kind", "situation")}
            yield same | {"program": stored.program} | numbers


# Cubes


def _cube(
    decision: Decision, cube: StoredCube, row: Mapping[str, Any], table: MatchEquityTable
) -> dict[str, Any] | None:
    """Comparison of a double or of an answer to it; None where one side has not enough numbers."""
    theirs = _emg(cube, decision.situation, table)
    mine = [row[name] for name in EQUITIES]
    if theirs is None or any(math.isnan(value) for value in (*mine, *theirs)):
        return None
    double = decision.kind is Kind.DOUBLE
    choice, other_choice = ((_doubles, _takes)[not double](*numbers) for numbers in (mine, theirs))
    costs = [_cost(numbers, double=double) for numbers in (mine, theirs)]
    words = ("Double", "No double") if double else ("Take", "Pass")
    # Equal within the rounding of stored numbers: either choice is right.
    agree = choice == other_choice or min(costs) < _TIE
    made = decision.played.value if decision.played is not None else ""  # type: ignore[union-attr]
    numbers: dict[str, Any] = {
        "level": cube.level,
        "best": words[not choice],
        "best_theirs": words[not other_choice],
        "agree": agree,
        "cost": 0.0 if agree else costs[0],
        "cost_theirs": 0.0 if agree else costs[1],
        "error": row["error_emg"],
        "error_theirs": costs[1] if other_choice != (made in ("double", "take")) else 0.0,
    }
    for name, value, other in zip(EQUITIES, mine, theirs, strict=True):
        numbers |= {name: value, f"{name}_theirs": other}
    if cube.chances is not None:
        win, win_gammon, _, lose_gammon, _ = cube.chances
        for name, other in zip(CHANCES, (win, win_gammon, lose_gammon), strict=True):
            numbers |= {name: row[name], f"{name}_theirs": other}
    return numbers


def _doubles(no_double: float, double_take: float, double_pass: float) -> bool:
    return min(double_take, double_pass) > no_double


def _takes(_: float, double_take: float, double_pass: float) -> bool:
    return double_take <= double_pass


def _cost(equities: Iterable[float], *, double: bool) -> float:
    """What the wrong one of two choices loses."""
    no_double, double_take, double_pass = equities
    return abs(min(double_take, double_pass) - no_double) if double else abs(double_take - double_pass)


def _emg(cube: StoredCube, situation: Situation, table: MatchEquityTable) -> tuple[float, float, float] | None:
    """Stored equities normalised: by the program's own frame where the file has it, else by our table."""
    no_double, double_take, double_pass = cube.no_double, cube.double_take, cube.double_pass
    if no_double is None or double_take is None:
        return None
    if cube.unit is not Unit.MWC:
        return no_double, double_take, 1.0 if double_pass is None else double_pass
    frame = _frame(cube, situation, table)
    if frame is None:
        return None
    loss, win = frame
    return tuple(2 * (value - loss) / (win - loss) - 1 for value in (no_double, double_take, win))  # type: ignore[return-value]


def _frame(cube: StoredCube | None, situation: Situation, table: MatchEquityTable) -> tuple[float, float] | None:
    """Match winning chances of losing and winning the current cube; None where both are the same."""
    if cube is not None and cube.frame is not None:
        return cube.frame
    try:
        stakes = Stakes.of(situation.match, situation.cube, met=table)
    except CubelabError:
        return None
    win, loss = (float(stakes.emg_to_mwc(equity)) for equity in (1.0, -1.0))
    if win - loss < 1e-9:
        return None
    if cube is not None and cube.double_pass is not None and cube.unit is Unit.MWC:
        # The program's table gives the pass another chance than ours: the width alone is ours.
        return cube.double_pass - (win - loss), cube.double_pass
    return loss, win


# Plays


def _play(decision: Decision, stored: Stored, row: Mapping[str, Any], table: MatchEquityTable) -> dict[str, Any] | None:
    """Comparison of a play; None where their best one cannot be read."""
    plays = stored.plays
    assert plays is not None
    width = 2.0
    if plays.unit is Unit.MWC:
        frame = _frame(stored.cube, decision.situation, table)
        if frame is None:
            return None
        width = frame[1] - frame[0]
    after = [_after(candidate, decision.situation) for candidate in plays.candidates]
    mine = _after_text(row["best"], decision.situation)
    if not after or after[0] is None or mine is None:
        return None
    lost = [2 * max(plays.candidates[0].equity - candidate.equity, 0.0) / width for candidate in plays.candidates]
    place = next((index for index, position in enumerate(after) if position == mine), None)
    made = next((index for index, position in enumerate(after) if position == decision.after), None)
    agree = place == 0 or (place is not None and lost[place] < _TIE)
    return {
        "level": plays.candidates[0].level,
        "best": row["best"],
        "best_theirs": plays.candidates[0].play,
        "agree": agree,
        "cost": 0.0 if agree else math.nan,
        "cost_theirs": 0.0 if agree else math.nan if place is None else lost[place],
        "error": row["error_emg"],
        "error_theirs": math.nan if made is None else lost[made],
    }


def _after(candidate: StoredCandidate, situation: Situation) -> Any:
    return _after_text(candidate.play, situation)


def _after_text(text: str, situation: Situation) -> Any:
    """Position after a play as written; None for one that cannot be read."""
    try:
        return Play.parse(text, situation.position, situation.dice).after
    except CubelabError:
        return None
