"""The shipped networks and the static (0-ply) evaluation of many positions."""

from __future__ import annotations

import hashlib
import io
import threading
from importlib.resources import files

import numpy as np

from cubelab.engine.archives import arrays_of
from cubelab.errors import DataMissing, IllegalPosition
from cubelab.game import BackgammonRule, Rules
from cubelab.kernels.features import ROWS
from cubelab.kernels.network import NETWORKS, Nets
from cubelab.kernels.static import evaluate_many
from cubelab.kernels.vectors import HIDDEN, OUTPUTS, WIDTH

WEIGHTS_FILE = "static.npz"
CHECKSUM_FILE = "static.sha256"
ARRAYS = {
    "tables": ((NETWORKS * ROWS, HIDDEN), np.int16),
    "bias": ((NETWORKS, HIDDEN), np.int16),
    "scales": ((NETWORKS,), np.float32),
    "w2": ((NETWORKS, HIDDEN, WIDTH), np.float32),
    "b2": ((NETWORKS, WIDTH), np.float32),
    "w3": ((NETWORKS, WIDTH, OUTPUTS), np.float32),
    "b3": ((NETWORKS, OUTPUTS), np.float32),
}
"""Shape and type of the arrays of a weights file."""

_lock = threading.Lock()
_loaded: Nets | None = None
_checksum = ""


def pack(arrays: dict[str, np.ndarray]) -> bytes:
    """Bytes of a weights file: `ARRAYS`, the low and the high bytes of the tables apart (a fifth smaller so)."""
    tables = arrays["tables"].astype("<i2")
    halves = np.moveaxis(tables[..., None].view(np.uint8), -1, 0)
    buffer = io.BytesIO()
    rest = {name: arrays[name] for name in ARRAYS if name != "tables"}
    np.savez_compressed(buffer, halves=halves, **rest)  # type: ignore[arg-type]
    return buffer.getvalue()


def unpack(data: bytes) -> dict[str, np.ndarray]:
    """Arrays of a weights file (`pack`), or of a snapshot of a training, as the kernels want them.

    Raises
    ------
    DataMissing
        The bytes are no weights file, or one of other networks.
    """
    try:
        arrays = arrays_of(data)
    except DataMissing as error:
        raise DataMissing(f"The network weights cannot be read ({error}); reinstall cubelab.") from None
    halves = arrays.pop("halves", None)
    if halves is not None and halves.dtype == np.uint8 and halves.shape[:1] == (2,):
        arrays["tables"] = (halves[0] | halves[1].astype(np.uint16) << 8).view(np.int16)
    for name, (shape, kind) in ARRAYS.items():
        if name not in arrays or arrays[name].shape != shape or arrays[name].dtype != kind:
            found = f"{arrays[name].dtype}{arrays[name].shape}" if name in arrays else "nothing"
            wants = f"{np.dtype(kind)}{shape}"
            raise DataMissing(f"The network weights hold {found} for {name}, not {wants}; reinstall cubelab.")
    return {name: np.ascontiguousarray(arrays[name]) for name in ARRAYS}


def nets_of(arrays: dict[str, np.ndarray]) -> Nets:
    """Networks from their arrays (`unpack`), with this machine's bearoff tables and the shipped race evaluator.

    Raises
    ------
    DataMissing
        The race evaluator's weights are missing or damaged.
    """
    from .bearoff import load_tables
    from .race import load_race

    return Nets(**arrays, bearoff=load_tables(), race=load_race(), bar_only=False)


def _read_verified() -> tuple[bytes, str]:
    folder = files("cubelab.engine") / "weights"
    try:
        data = (folder / WEIGHTS_FILE).read_bytes()
        expected = (folder / CHECKSUM_FILE).read_text().split()[0]
    except (OSError, IndexError) as error:
        raise DataMissing(f"The network weights are not installed with cubelab ({error}); reinstall it.") from error
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        raise DataMissing(
            f"The network weights {WEIGHTS_FILE} are damaged: SHA-256 {found[:12]}… instead of {expected[:12]}…; "
            "reinstall cubelab."
        )
    return data, found


def load_nets(rules: Rules | None = None) -> Nets:
    """The shipped networks with the bearoff tables, loaded once per process.

    Parameters
    ----------
    rules : Rules, optional
        What counts as a backgammon; the usual rule by default. Where only a checker on the bar does, finished games and
        races are exact, and contact positions keep a fixed share of their backgammons (``kernels.static.BAR_SHARE``).

    Raises
    ------
    DataMissing
        The weights are missing, damaged or of another version.
    """
    global _loaded, _checksum
    with _lock:
        if _loaded is None:
            data, checksum = _read_verified()
            _loaded = nets_of(unpack(data))
            _checksum = checksum
        return _loaded._replace(bar_only=rules is not None and rules.backgammon_rule is BackgammonRule.BAR_ONLY)


def weights_checksum() -> str:
    """SHA-256 of the loaded weights file, for the provenance of results."""
    load_nets()
    return _checksum


def checked_boards(boards: np.ndarray) -> np.ndarray:
    """Boards as the kernels take them, int8[n, 26]; IllegalPosition for what is none."""
    boards = np.asarray(boards)
    if boards.ndim != 2 or boards.shape[1] != 26:
        raise IllegalPosition(f"Boards must have the shape (n, 26), not {boards.shape}.")
    if boards.dtype != np.int8:
        if not np.issubdtype(boards.dtype, np.integer):
            raise IllegalPosition(f"Boards must be whole numbers (int8), not {boards.dtype}.")
        if boards.size and (boards.min() < -15 or boards.max() > 15):
            raise IllegalPosition("A place of a board holds more than 15 checkers.")
        boards = boards.astype(np.int8)
    mover = np.maximum(boards, 0).sum(axis=1, dtype=np.int64)
    opponent = -np.minimum(boards, 0).sum(axis=1, dtype=np.int64)
    wrong = (mover > 15) | (opponent > 15) | (boards[:, 25] < 0) | (boards[:, 0] > 0) | (mover + opponent == 0)
    if wrong.any():
        k = int(np.argmax(wrong))
        raise IllegalPosition(
            f"Board {k} is no position: {mover[k]} checkers of the mover and {opponent[k]} of the opponent (at most 15 "
            f"each, not none at all), {boards[k, 25]} on the mover's bar (index 25, at least 0), {boards[k, 0]} on the "
            "opponent's (index 0, at most 0)."
        )
    return np.ascontiguousarray(boards)


def evaluate_positions(boards: np.ndarray) -> np.ndarray:
    """Static (0-ply) outcome probabilities of positions whose mover is about to roll.

    Parameters
    ----------
    boards : int8[n, 26]
        Index 1 … 24 the mover's points (mover's checkers positive, opponent's negative), 25 the mover's bar, 0 the
        opponent's bar (≤ 0).

    Returns
    -------
    float32[n, 6]
        Win, win gammon, win backgammon, lose, lose gammon, lose backgammon of the mover: exclusive, each row sums to 1.

    Raises
    ------
    IllegalPosition
        Wrong shape, or a row that is no backgammon position.
    DataMissing
        The network weights are missing or damaged.

    Examples
    --------
    >>> import cubelab as cl
    >>> boards = cl.Position.start().array[None, :]
    >>> chances = cl.evaluate_positions(boards)
    >>> chances.shape, float(chances.sum().round(3)), bool(0.5 < chances[0, :3].sum() < 0.55)
    ((1, 6), 1.0, True)
    """
    boards = checked_boards(boards)
    nets = load_nets()
    afters = np.ascontiguousarray(-boards[:, ::-1])  # what the other side, having played, sees
    out = np.empty((len(boards), 6), np.float32)
    evaluate_many(nets, afters, len(boards), out)
    return np.ascontiguousarray(out[:, [3, 4, 5, 0, 1, 2]])
