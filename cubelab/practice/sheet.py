"""A score sheet with a memory: what was answered wrongly comes back soon, the rest ever later (Leitner's boxes)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..arguments import checked
from ..errors import DataMissing
from ..writing import write_whole

if TYPE_CHECKING:
    import pandas as pd

#: Days until a question is due again, by its box; a right answer moves it one box up, a wrong one into the first.
INTERVALS: Final = (0, 1, 3, 7, 21, 60)


@dataclass(frozen=True, slots=True)
class Card:
    """What is remembered of a question.

    Attributes
    ----------
    box : int
        Place in `INTERVALS`.
    due : str
        Day on which it should be asked again, ISO.
    asked, wrong : int
    cost : float
        Equity lost by all answers, EMG.
    """

    box: int = 0
    due: str = ""
    asked: int = 0
    wrong: int = 0
    cost: float = 0.0


class ScoreSheet:
    """Cards by the key of their question, kept in a file where one is given.

    Parameters
    ----------
    path : Path, optional
        Read now, written by `save`.

    Raises
    ------
    DataMissing
        The file is no score sheet, or cannot be read.
    """

    @checked("path")
    def __init__(self, path: str | Path | None = None):
        self.path = path = None if path is None else Path(path)
        self.cards: dict[str, Card] = {}
        if path is None or not path.exists():
            return
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            self.cards = {str(key): Card(**card) for key, card in document["cards"].items()}
            for card in self.cards.values():
                date.fromisoformat(card.due)
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise DataMissing(
                f"{path} is no score sheet of cubelab quiz ({error}); name another with --sheet"
            ) from None

    def note(self, key: str, right: bool, cost: float, today: date) -> None:
        """Enter an answer."""
        card = self.cards.get(key, Card())
        box = min(card.box + 1, len(INTERVALS) - 1) if right else 0
        due = (today + timedelta(days=INTERVALS[box])).isoformat()
        self.cards[key] = replace(
            card, box=box, due=due, asked=card.asked + 1, wrong=card.wrong + (not right), cost=card.cost + cost
        )

    def order(self, keys: Iterable[str], today: date) -> list[str]:
        """Keys in the order in which they should be asked: due ones (lowest box first), new ones, then the others."""

        def rank(key: str) -> tuple[int, int, str]:
            card = self.cards.get(key)
            if card is None:
                return 1, 0, ""
            return (0 if card.due <= today.isoformat() else 2), card.box, card.due

        return sorted(keys, key=rank)

    def save(self) -> None:
        """Write the file, whole or not at all; without a path nothing happens."""
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        document = {"version": 1, "cards": {key: asdict(card) for key, card in self.cards.items()}}
        write_whole(self.path, json.dumps(document, indent=1))

    def to_frame(self) -> pd.DataFrame:
        """One row a question: box, due, asked, wrong, cost (EMG)."""
        import pandas as pd

        rows = {key: asdict(card) for key, card in self.cards.items()}
        frame = pd.DataFrame.from_dict(rows, orient="index", columns=list(Card.__slots__))
        frame.index.name = "question"
        return frame

    def _repr_html_(self) -> str:
        return self.to_frame().to_html(float_format="{:.3f}".format, max_rows=20)


def usual_sheet() -> Path:
    """Where the command line keeps its sheet: in the user's data folder."""
    from platformdirs import user_data_dir

    return Path(user_data_dir("cubelab", appauthor=False)) / "quiz.json"
