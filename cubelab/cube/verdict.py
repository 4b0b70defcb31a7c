"""The right cube action as a value."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """Right action of the player on roll and right answer of the other side."""

    NO_DOUBLE_TAKE = "ND_T"
    NO_DOUBLE_BEAVER = "ND_B"
    #: Doubling and not doubling are worth the same, and the opponent passes.
    NO_DOUBLE_PASS = "ND_P"
    DOUBLE_TAKE = "D_T"
    DOUBLE_BEAVER = "D_B"
    #: Only under the immediate redouble rule: the taker turns the cube again at once.
    DOUBLE_REDOUBLE = "D_R"
    NO_DOUBLE_REDOUBLE = "ND_R"
    DOUBLE_PASS = "D_P"
    TOO_GOOD_TAKE = "TG_T"
    TOO_GOOD_PASS = "TG_P"

    @property
    def double(self) -> bool:
        """Whether doubling is right."""
        return self.value.startswith("D_")

    @property
    def too_good(self) -> bool:
        """Whether playing on is worth more than cashing."""
        return self.value.startswith("TG_")

    @property
    def response(self) -> str:
        """Right answer if doubled: ``take``, ``pass``, ``beaver`` or ``redouble``."""
        return {"T": "take", "P": "pass", "B": "beaver", "R": "redouble"}[self.value[-1]]

    def label(self, *, redouble: bool = False, optional: bool = False) -> str:
        """The verdict in words.

        Parameters
        ----------
        redouble : bool
            The mover owns the cube.
        optional : bool
            Doubling and not doubling are as good as equal.
        """
        word = "redouble" if redouble else "double"
        if optional:
            action = f"Optional {word}"
        elif self.double:
            action = word.capitalize()
        elif self.too_good:
            action = f"Too good to {word}"
        else:
            action = f"No {word}"
        return f"{action}, {self.response}"


def judge(
    no_double: float,
    double_take: float,
    double_pass: float,
    *,
    double_beaver: float | None = None,
    double_redouble: float | None = None,
    gammons_count: bool = True,
    equal: float = 1e-7,
) -> Verdict:
    """The verdict from equities of the player on roll.

    The opponent answers with what is worth least to the doubler; doubling is right when that is worth more than not
    doubling. Ties: take rather than pass, take rather than beaver, no double rather than double.

    Parameters
    ----------
    no_double, double_take, double_pass : float
        In one unit.
    double_beaver, double_redouble : float, optional
        Further answers where the rules have them.
    gammons_count : bool
        Whether a win can bring more than a pass while the cube stays where it is. If not (Jacoby rule with a centred
        cube, a single win that wins the match) nobody is ever too good to double.
    equal : float
        Differences up to this are ties.
    """
    answers = {"T": double_take, "P": double_pass}
    if double_beaver is not None:
        answers["B"] = double_beaver
    if double_redouble is not None:
        answers["R"] = double_redouble
    response, doubled = "T", double_take
    for letter, value in answers.items():
        if value < doubled - equal:
            response, doubled = letter, value
    gain = doubled - no_double
    if gain > equal:
        return Verdict(f"D_{response}")
    # Too good: not doubling beats cashing, with doubling not even equal to it.
    if gain < -equal and no_double > double_pass + equal and gammons_count and response in "TP":
        return Verdict(f"TG_{response}")
    return Verdict(f"ND_{response}")
