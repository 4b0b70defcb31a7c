"""Records in JSON: told apart by their keys."""

from __future__ import annotations

import json
from typing import Any

from ..errors import RecordError
from .record import Record
from .record_json import is_record, parse_record


def parse_json(data: bytes, file: str = "") -> Record:
    """Record of a JSON file, whoever wrote it.

    Parameters
    ----------
    data : bytes
    file : str
        For messages.

    Raises
    ------
    RecordError
        No JSON, or none that holds a match.
    """
    content = _content(data, file)
    if is_record(content):
        return parse_record(content, file)
    if isinstance(content.get("games"), list):
        from .gva import parse_gva

        return parse_gva(content, file)
    raise RecordError("JSON without a match; GammonView's (.gva) with its list of games is read", file=file or None)


def _content(data: bytes, file: str) -> dict[str, Any]:
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise RecordError("damaged JSON: it is not UTF-8", file=file or None) from None
    except json.JSONDecodeError as error:
        raise RecordError(f"damaged JSON: {error.msg}", file=file or None, line=error.lineno) from None
    except (ValueError, RecursionError):
        raise RecordError("damaged JSON: a number or a nesting beyond all bounds", file=file or None) from None
    if not isinstance(content, dict):
        raise RecordError("JSON that is no object; a match is one", file=file or None, line=1)
    return content
