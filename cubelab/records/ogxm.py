"""OGXM files (``.ogxm``, GammonView's ``.gvab``) of any version that can be read."""

from __future__ import annotations

import struct

from ..errors import RecordError
from .ogxm_container import damaged
from .ogxm_v1 import parse_v1
from .ogxm_v2 import parse_v2
from .record import Record


def parse_ogxm(data: bytes, file: str = "") -> Record:
    """Record of an OGXM file of version 1 or 2; White is the bottom player.

    Parameters
    ----------
    data : bytes
    file : str
        For messages.

    Raises
    ------
    RecordError
        Damaged, of a later version, or without a game.
    """
    if len(data) < 20:
        raise damaged(file, "it ends inside the header")
    version, _, needed, _ = struct.unpack_from("<HHHH", data, 4)
    if version == 1 and needed <= 1:
        return parse_v1(data, file)
    if version == 2 and needed <= 2:
        return parse_v2(data, file)
    raise RecordError(f"OGXM version {version}; versions 1 and 2 can be read", file=file or None)
