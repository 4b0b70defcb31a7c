"""Rollouts kept in files: a zip of plain arrays and one text of JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import DataMissing
from ..game import BackgammonRule, Rules, Scoring, Situation
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
from ..writing import appearing_whole
from .archives import arrays_of
from .evaluator import Provenance
from .moments import Moments
from .rollout_settings import RolloutSettings
from .tally import Tally

if TYPE_CHECKING:
    from .rollout import Rollout

_FORMAT: Final = "cubelab rollout 3"
_TABLE: Final = ("values", "post", "post_opponent")


def write_rollout(rollout: Rollout, path: Path) -> None:
    """Write a rollout, whole or not at all; see `Rollout.save`."""
    rules, table = rollout.situation.match.rules, rollout.stakes.table
    meta = {
        "format": _FORMAT,
        "situation": rollout.situation.xgid,
        # An XGID does not hold every rule.
        "rules": asdict(rules) | {"backgammon_rule": rules.backgammon_rule.value, "scoring": rules.scoring.value},
        "met": table and {name: getattr(table, name) for name in ("name", "title", "source", "tolerance", "skewed")},
        "settings": asdict(rollout.settings),
        "moments": rollout.moments.to_dict(),
        "tally": rollout.tally.to_dict(),
        "spans": rollout.spans,
        "seconds": rollout.seconds,
        "interrupted": rollout.interrupted,
        "cube_first": rollout.cube_first,
        "rows": rollout.rows is not None,
        "provenance": rollout.provenance.to_dict(),
    }
    arrays: dict[str, Any] = {} if rollout.rows is None else {"rows": rollout.rows}
    if table is not None:
        arrays |= {name: getattr(table, name) for name in _TABLE}
    with appearing_whole(path) as part, part.open("wb") as file:
        np.savez_compressed(file, meta=np.array(json.dumps(meta)), **arrays)


def read_rollout(path: Path) -> dict[str, Any]:
    """What a `Rollout` is made of; see `Rollout.load`."""
    try:
        archive = arrays_of(path)
        meta = json.loads(str(archive.pop("meta")))
        if meta["format"] != _FORMAT:
            raise ValueError(f"format {meta['format']!r} instead of {_FORMAT!r}")
        cells: dict[str, Any] = {name: archive.pop(name) for name in _TABLE if meta["met"]}
        table = meta["met"] and MatchEquityTable(**meta["met"], **cells)
        rows = archive.pop("rows", None)
        if meta.get("rows") and rows is None:
            raise ValueError("its single trials are missing")
        if archive:
            raise ValueError(f"it holds something else too: {', '.join(sorted(archive))}")
        given = meta["rules"]
        rules = Rules(
            **given
            | {
                "backgammon_rule": BackgammonRule(given["backgammon_rule"]),
                "scoring": Scoring(given["scoring"]),
            }
        )
        read = Situation.from_xgid(meta["situation"])
        situation = replace(read, match=replace(read.match, rules=rules))
        moments, tally = Moments.from_dict(meta["moments"]), Tally.from_dict(meta["tally"])
        spans = tuple((index(start), index(end)) for start, end in meta["spans"])
        _check_counts(moments, tally, spans, rows)
        return {
            "situation": situation,
            "settings": RolloutSettings(**meta["settings"]),
            "stakes": Stakes.of(situation.match, situation.cube, met=table),
            "moments": moments,
            "tally": tally,
            "spans": spans,
            "rows": rows,
            "seconds": float(meta["seconds"]),
            "interrupted": bool(meta["interrupted"]),
            "provenance": Provenance(**meta["provenance"]),
            "cube_first": bool(meta["cube_first"]),
        }
    except FileNotFoundError:
        raise DataMissing(f"{path}: no such file") from None
    except KeyError as error:
        raise DataMissing(f"{path} is not a whole rollout written by cubelab: it lacks {error}") from None
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise DataMissing(f"{path} is not a whole rollout written by cubelab: {error}") from None


def _check_counts(moments: Moments, tally: Tally, spans: tuple[tuple[int, int], ...], rows: np.ndarray | None) -> None:
    """See that all parts of a rollout are about the same trials.

    Raises
    ------
    DataMissing
        Which of them is not.
    """
    from ..kernels.rollout import COLUMNS

    count, branches = moments.count, moments.branches
    ends = [0, *(place for span in spans for place in span)]
    if ends != sorted(ends) or sum(end - start for start, end in spans) != count:
        raise DataMissing(f"its trials {spans} are not {count}")
    if len(tally.ends) != branches or any(
        part.min() < 0 or (part.reshape(branches, -1).sum(axis=1) != count).any()
        for part in (tally.ends, tally.turns, tally.first, tally.lengths)
    ):
        raise DataMissing(f"its counts are not of {count} trials")
    if rows is not None and (rows.shape != (count, branches, COLUMNS) or rows.dtype != np.float64):
        raise DataMissing(f"its single trials are not {count}")
