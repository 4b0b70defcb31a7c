"""Charts of analysed matches, from the frame of decisions that `analyse` makes."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from ..arguments import checked
from ..errors import CubelabError
from ..study.statistics import BLUNDER_EMG, ERROR_EMG, MISTAKE_EMG, PR_FACTOR, convention_named
from ..wording import counted as number_of
from .figures import FAINT, LINES, Size, chart, finish, ink, percent, whole_numbers

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_BINS: Final = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64)
#: Half width of a 95 % interval in standard errors.
_Z95: Final = 1.96
_ACTIONS: Final = {"Double": "^", "Redouble": "^", "Take": "o", "Pass": "X", "Beaver": "D"}


def match_graph(
    data: Any,
    *,
    file: str | None = None,
    player: str | None = None,
    ax: Axes | None = None,
    size: Size = (9.0, 4.4),
) -> Axes:
    """Match winning chance along a match, with the cube actions and the blunders.

    Parameters
    ----------
    data : MatchAnalysis or DataFrame
        An analysis, or its frame of decisions.
    file : str, optional
        Which match, where there are several.
    player : str, optional
        Whose chance; default the player in the first seat.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Returns
    -------
    Axes
        Equity per cube instead of the match winning chance for money play.

    Raises
    ------
    CubelabError
        No analysed cube decisions, several matches without `file`, an unknown name.
    """
    frame = _one_match(_decisions(data), file)
    rows = frame[frame["kind"].ne("play") & frame["no_double"].notna()].reset_index(drop=True)
    if not len(rows):
        raise CubelabError("there is no analysed cube decision to draw in this match")
    seats = {str(name): int(seat) for name, seat in rows[["player", "seat"]].drop_duplicates().to_numpy()}
    if player is None:
        player = next((name for name, seat in seats.items() if seat == 1), next(iter(seats)))
    if player not in seats:
        raise CubelabError(f"player {player!r} is none of {', '.join(seats)}")
    money = bool(rows["no_double_mwc"].isna().all())
    heights = _heights(rows, seats[player], money)
    with chart(ax, size) as axes:
        places = np.arange(len(rows))
        axes.plot(places, heights, color=LINES[1], linewidth=1.5)
        _games(axes, rows)
        for action, marker in _ACTIONS.items():
            chosen = rows["played"].eq(action).to_numpy()
            if chosen.any():
                name = "Double" if action == "Redouble" else action
                known = axes.get_legend_handles_labels()[1]
                axes.plot(
                    places[chosen], heights[chosen], marker, color="black", markerfacecolor="white", markersize=7,
                    label=None if name in known else name,
                )  # fmt: skip
        for least, most, size_, name in ((ERROR_EMG, BLUNDER_EMG, 5, "error"), (BLUNDER_EMG, np.inf, 9, "blunder")):
            bad = rows["error_emg"].between(least, most, inclusive="left").to_numpy()
            if bad.any():
                label = f"{name} (from {least:.3f})"
                axes.plot(places[bad], heights[bad], "s", color=LINES[2], markersize=size_, zorder=2, label=label)
        axes.axhline(0 if money else 0.5, color=FAINT, linewidth=0.6)
        if not money:
            axes.set_ylim(0, 1)
            percent(axes, "y")
        axes.set_xlim(-0.5, len(rows) - 0.5)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0)
        ylabel = f"Equity of {player} (points per cube)" if money else f"Match winning chance of {player}"
        note = f"{Path(rows['file'].iloc[0]).name}{_source(data)}"
        return finish(axes, "Course of the match", note, "Cube decisions in order", ylabel)


@checked("by")
def error_histogram(
    data: Any,
    *,
    by: Literal["kind", "player"] = "kind",
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """How many errors of which size.

    Parameters
    ----------
    data : MatchAnalysis or DataFrame
        An analysis, or its frame of decisions.
    by : {"kind", "player"}
        What the bars are split by.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Raises
    ------
    CubelabError
        An empty frame, or one without analysed decisions.
    """
    if by not in ("kind", "player"):
        raise CubelabError(f"by={by!r} is none of kind, player")
    frame = _decisions(data)
    known = frame[frame["error_emg"].notna()]
    if not len(known):
        raise CubelabError("there is no analysed decision whose error could be drawn")
    edges = np.array([MISTAKE_EMG, *_BINS, np.inf])
    names = [str(name) for name in known[by].drop_duplicates()]
    between = [f"{a:g}–{b:g}" for a, b in pairwise(_BINS)]
    labels = [f"< {edges[1]:g}", *between, f"≥ {edges[-2]:g}"]
    with chart(ax, size) as axes:
        places, width = np.arange(len(labels)), 0.8 / len(names)
        for number, name in enumerate(names):
            errors = known.loc[known[by].astype(str).eq(name), "error_emg"].to_numpy()
            counts = np.histogram(errors, edges)[0]
            shift = (number - (len(names) - 1) / 2) * width
            axes.bar(places + shift, counts, width, color=LINES[1:][number % 6], edgecolor="white", label=name)
        for edge, word in ((ERROR_EMG, "errors"), (BLUNDER_EMG, "blunders")):
            place = list(edges).index(edge) - 0.5
            axes.axvline(place, color=FAINT, linewidth=0.8, linestyle="--")
            axes.text(place, 1, f" {word} →", transform=axes.get_xaxis_transform(), fontsize="small", va="top")
        axes.set_xticks(places, labels, rotation=30, ha="right")
        whole_numbers(axes.yaxis)
        axes.legend()
        right = int((known["error_emg"] <= MISTAKE_EMG).sum())
        note = f"{number_of(len(known), 'decision')} analysed, {right} of them without error{_source(data)}"
        return finish(axes, "Errors by size", note, "Error (EMG)", "Decisions")


@checked("convention")
def pr_over_time(
    data: Any,
    player: str | None = None,
    *,
    convention: str = "xg",
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """Performance rating match by match, with 95 % intervals and the rating of all matches so far.

    Parameters
    ----------
    data : MatchAnalysis or DataFrame
        An analysis of several files, or its frame of decisions, in order of time.
    player : str, optional
        Default: whoever played most of the matches.
    convention : {"xg", "gnubg"}
        Which decisions count.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Raises
    ------
    CubelabError
        An empty frame, an unknown player or convention, no decision that counts.

    Notes
    -----
    The interval is that of the mean of independent errors, ± 1.96 s / √n; a match of few decisions says little.
    """
    rule = convention_named(convention)
    frame = _decisions(data)
    files = frame.groupby("player", observed=True)["file"].nunique()
    if player is None:
        player = str(files.idxmax())
    elif player not in files.index:
        raise CubelabError(f"player {player!r} is none of {', '.join(map(str, files.index))}")
    counted = frame[rule.counted(frame) & frame["player"].eq(player)]
    if not len(counted):
        raise CubelabError(f"no decision of {player} counts for the performance rating")
    matches = [
        PR_FACTOR * errors.to_numpy() for _, errors in counted.groupby("file", sort=False, observed=True)["error_emg"]
    ]
    means, halves = np.array([_mean_with_interval(values) for values in matches]).T
    so_far = np.array([_mean_with_interval(np.concatenate(matches[: i + 1])) for i in range(len(matches))]).T
    with chart(ax, size) as axes:
        places = np.arange(1, len(matches) + 1)
        axes.fill_between(places, so_far[0] - so_far[1], so_far[0] + so_far[1], color=LINES[1], alpha=0.2, linewidth=0)
        axes.plot(places, so_far[0], color=LINES[1], label="all matches so far")
        axes.errorbar(places, means, halves, fmt="o", color=ink(axes), markersize=4, linewidth=0.8, label="one match")
        axes.set_ylim(bottom=0)
        axes.set_xlim(0.5, len(matches) + 0.5)
        whole_numbers(axes.xaxis)
        axes.legend()
        note = f"{player}; {number_of(len(counted), 'decision')}; 95 % intervals; counted as {rule.name}{_source(data)}"
        return finish(axes, "Performance rating", note, "Match", "PR (500 × EMG per decision)")


@checked("bins")
def reliability(
    predicted: Any,
    happened: Any,
    *,
    bins: int = 10,
    name: str = "",
    ax: Axes | None = None,
    size: Size = "paper",
) -> Axes:
    """Reliability diagram: how often what was predicted with a chance did happen.

    Parameters
    ----------
    predicted : array of float
        Chances, 0 to 1.
    happened : array of bool or float
        What came of it, or a better estimate of the chance, 0 to 1. Pairs with a missing number are left out.
    bins : int
        Number of equally wide classes of chance.
    name : str
        What was predicted, for the title.
    ax : Axes, optional
    size : {"paper", "slide"} or (float, float)
        Size of a new figure, or its inches.

    Raises
    ------
    CubelabError
        Different lengths, nothing to draw, numbers outside 0 to 1.
    """
    try:
        chances, results = (np.asarray(values, dtype=float).ravel() for values in (predicted, happened))
    except (TypeError, ValueError) as error:
        raise CubelabError(f"predictions and results must be numbers: {error}") from None
    if len(chances) != len(results):
        both = f"{number_of(len(chances), 'prediction')} and {number_of(len(results), 'result')}"
        raise CubelabError(f"{both}: each prediction needs its result")
    if not 2 <= bins <= 100:
        raise CubelabError(f"bins={bins} is not between 2 and 100")
    known = np.isfinite(chances) & np.isfinite(results)
    chances, results = chances[known], results[known]
    if not len(chances):
        raise CubelabError("there is no prediction with a result to draw")
    if min(chances.min(), results.min()) < 0 or max(chances.max(), results.max()) > 1:
        raise CubelabError("predictions and results must lie between 0 and 1")
    place = np.minimum((chances * bins).astype(int), bins - 1)
    with chart(ax, size) as axes:
        axes.plot([0, 1], [0, 1], color=FAINT, linewidth=0.8)
        for each in np.unique(place):
            mine, real = chances[place == each], results[place == each]
            low, high = _wilson(float(real.mean()), len(real))
            axes.plot([mine.mean()] * 2, [low, high], color=LINES[1], linewidth=1)
            axes.plot(mine.mean(), real.mean(), "o", color=LINES[1], markersize=5)
            axes.annotate(f" {len(real)}", (mine.mean(), real.mean()), fontsize="small", color=FAINT, va="top")
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        percent(axes, "both")
        score = float(np.mean((chances - results) ** 2))
        predictions = number_of(len(chances), "prediction")
        note = f"{predictions} (numbers beside the points), 95 % intervals; Brier score {score:.4f}"
        title = f"Reliability of {name}" if name else "Reliability"
        return finish(axes, title, note, "Predicted chance", "How often it happened")


def _decisions(data: Any) -> pd.DataFrame:
    frame = getattr(data, "decisions", data)
    if not hasattr(frame, "columns"):
        raise CubelabError(f"cannot draw {type(data).__name__}: give an analysis or its frame of decisions")
    needed = ("file", "player", "seat", "kind", "played", "error_emg", "no_double", "double_take", "double_pass")
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        raise CubelabError(f"the frame has no column {missing[0]!r}; it needs those of a frame of decisions")
    if not len(frame):
        raise CubelabError("the frame of decisions is empty: there is nothing to draw")
    return frame


def _one_match(frame: pd.DataFrame, file: str | None) -> pd.DataFrame:
    files = [str(name) for name in frame["file"].drop_duplicates()]
    if file is None:
        if len(files) > 1:
            raise CubelabError(f"the frame has {len(files)} matches: name one by file=, such as {files[0]!r}")
        return frame
    if file not in files:
        raise CubelabError(f"file {file!r} is not among the {len(files)} of the frame, such as {files[0]!r}")
    return frame[frame["file"].eq(file)]


def _heights(rows: pd.DataFrame, seat: int, money: bool) -> np.ndarray:
    """Chance (or equity) of a seat at each decision, with the best cube action."""
    suffix = "" if money else "_mwc"
    no_double, take, passed = (rows[f"{name}{suffix}"] for name in ("no_double", "double_take", "double_pass"))
    doubled = np.fmin(take, passed)
    value = np.where(rows["kind"].eq("take"), doubled, np.fmax(no_double, doubled))
    # Equities are the doubler's: the other side's in the row of an answer.
    doubler = rows["seat"].to_numpy() * np.where(rows["kind"].eq("take"), -1, 1)
    return np.where(doubler == seat, value, -value if money else 1 - value)


def _games(ax: Axes, rows: pd.DataFrame) -> None:
    """A line and a number where each game starts."""
    games = rows["game"].to_numpy()
    starts = [0, *(np.flatnonzero(np.diff(games)) + 1)]
    for start in starts:
        ax.axvline(start - 0.5, color=FAINT, linewidth=0.5)
        above = ax.get_xaxis_transform()
        ax.text(start - 0.3, 1.0, f"{games[start]}", transform=above, fontsize="small", color=FAINT, va="top")


def _mean_with_interval(values: np.ndarray) -> tuple[float, float]:
    half = _Z95 * values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return float(values.mean()), float(half)


def _wilson(share: float, number: int) -> tuple[float, float]:
    """95 % interval of a share (E. B. Wilson, 1927)."""
    scale = 1 + _Z95**2 / number
    middle = share + _Z95**2 / (2 * number)
    half = _Z95 * np.sqrt(share * (1 - share) / number + _Z95**2 / (4 * number**2))
    return (middle - half) / scale, (middle + half) / scale


def _source(data: Any) -> str:
    """Evaluator and table of an analysis, if it knows them."""
    source = getattr(data, "provenance", None)
    if source is None:
        return ""
    # The table's name without its checksum.
    return f"; {source.ply}-ply, {source.met.split()[0] if source.met else 'money'}"
