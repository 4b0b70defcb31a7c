"""Numbers as programs print them: decimal points or commas, typographic minus signs, percentages."""

from __future__ import annotations

import re
from typing import Final

NUMBER: Final = r"[-+−]?\d{1,6}[.,]\d{1,6}"
_NUMBER: Final = re.compile(NUMBER)


def number(text: str) -> float:
    """Value of one number that `NUMBER` matches."""
    return float(text.replace("−", "-").replace(",", "."))


def numbers(text: str) -> list[float]:
    """All numbers with a decimal point or comma in a text, in order."""
    return [number(found) for found in _NUMBER.findall(text)]
