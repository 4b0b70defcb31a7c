"""Rollouts kept in files: a zip of plain arrays and one text of JSON."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zipfile import BadZipFile

import numpy as np

from ..errors import CubelabError, DataMissing
from ..game import BackgammonRule, Rules, Scoring, Situation
from ..score.met import MatchEquityTable
from ..score.stakes import Stakes
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
        "provenance": rollout.provenance.to_dict(),
    }
    arrays: dict[str, Any] = {} if rollout.rows is None else {"rows": rollout.rows}
    if table is not None:
        arrays |= {name: getattr(table, name) for name in _TABLE}
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, meta=np.array(json.dumps(meta)), **arrays)
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise DataMissing(f"{path}: the rollout could not be written ({error.strerror})") from None


def read_rollout(path: Path) -> dict[str, Any]:
    """What a `Rollout` is made of; see `Rollout.load`."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            meta = json.loads(str(archive["meta"]))
            rows = archive.get("rows")
            table = meta["met"] and MatchEquityTable(**meta["met"], **{name: archive[name] for name in _TABLE})
        if meta["format"] != _FORMAT:
            raise ValueError(f"format {meta['format']!r} instead of {_FORMAT!r}")
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
        return {
            "situation": situation,
            "settings": RolloutSettings(**meta["settings"]),
            "stakes": Stakes.of(situation.match, situation.cube, met=table),
            "moments": Moments.from_dict(meta["moments"]),
            "tally": Tally.from_dict(meta["tally"]),
            "spans": tuple((int(start), int(end)) for start, end in meta["spans"]),
            "rows": rows,
            "seconds": float(meta["seconds"]),
            "interrupted": bool(meta["interrupted"]),
            "provenance": Provenance(**meta["provenance"]),
            "cube_first": bool(meta["cube_first"]),
        }
    except FileNotFoundError:
        raise DataMissing(f"{path}: no such file") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile, CubelabError) as error:
        raise DataMissing(f"{path} is not a whole rollout written by cubelab: {error}") from None
