"""Why a verdict is what it is: the tree from the verdict down to chances and cells of the match equity table.

Built after the cube kernel, against which a test holds it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..errors import SettingsError
from .derivation import OPERATIONS, Explanation, Node
from .verdict import Verdict

if TYPE_CHECKING:
    from ..score import Stakes
    from .decision import CubeDecision


def explain(decision: CubeDecision) -> Explanation:
    """The derivation of a decision.

    Parameters
    ----------
    decision : CubeDecision
        From `decide`: down to chances and table cells. From a search or rollout: the values it found are leaves.

    Raises
    ------
    SettingsError
        Values that no number of this decision explains.
    """
    builder = _Builder(decision)
    options = {"ND": builder.no_double()}
    if decision.verdict is not None:
        options["DT"] = builder.double_take()
        options["DP"] = builder.passed(0)
    equities = [builder.equity(name, node) for name, node in options.items()]
    if decision.verdict is None:
        return Explanation(equities[0], decision.label)
    counts = float(decision.stakes.payoffs[0, :3].max() > decision.stakes.passed)
    inputs = [*equities, Node("G", "1 if a win can bring more than a pass while the cube stays, else 0", counts)]
    operation = "verdict"
    if decision.values.double_beaver is not None:
        operation = "verdict with beaver"
        words = "equity of doubling and being beavered"
        beavered = decision.equities.double_beaver
        assert beavered is not None
        if beavered == 2.0 * decision.equities.double_take:  # type: ignore[operator]
            two = Node("2", "a beaver doubles the stake again", 2.0)
            inputs.append(_node("DB", words, "product", two, equities[1], unit="equity"))
        else:  # found beside the take: further turns, a cap
            inputs.append(Node("DB", words, beavered, unit="equity"))
    elif decision.values.double_redouble is not None:
        operation = "verdict with redouble"
        words = "equity of doubling and being redoubled at once"
        assert decision.equities.double_redouble is not None
        inputs.append(Node("DR", words, decision.equities.double_redouble, unit="equity"))
    root = _node("verdict", "the right action", operation, *inputs)
    if root.value != decision.verdict.value and not decision.optional:
        raise SettingsError(f"the derivation gives {Verdict(root.value)}, the decision {decision.verdict}")
    return Explanation(root, decision.label)


def _node(symbol: str, words: str, operation: str, *inputs: Node, unit: str = "") -> Node:
    value = OPERATIONS[operation][1](*(node.value for node in inputs))
    return Node(symbol, words, value, operation, inputs, unit)


@dataclass(slots=True)
class _Kinks:
    """Nodes of one cube level: average win and loss, what a pass is worth, live points."""

    w: Node
    loss: Node
    passed: Node
    given: Node
    cash: Node | None = None
    cash_value: Node | None = None
    take: Node | None = None
    take_value: Node | None = None


@dataclass(slots=True)
class _Builder:
    """Builds the nodes; in a match all values are match winning chances, in money play points per current cube."""

    decision: CubeDecision
    _levels: dict[int, _Kinks] = field(default_factory=dict)
    _payoffs: dict[tuple[int, int], Node] = field(default_factory=dict)
    _chances: list[Node] = field(default_factory=list)
    _win: Node | None = None

    @property
    def unit(self) -> str:
        return "points" if self.decision.stakes.money else "mwc"

    @property
    def theory(self) -> bool:
        return self.decision.efficiency is not None and self.decision.probabilities is not None

    def no_double(self) -> Node:
        words = "worth of not doubling"
        if not self.theory:
            return self._found("nd", words, self.decision.values.no_double)
        return self._mixed("nd", words, 0, self.decision.stakes.axis)

    def double_take(self) -> Node:
        words = "worth of doubling and being taken"
        if not self.theory:
            assert self.decision.values.double_take is not None
            return self._found("dt", words, self.decision.values.double_take)
        return self._mixed("dt", words, 1, 2)

    def equity(self, symbol: str, value: Node) -> Node:
        if self.decision.stakes.pips is not None:  # points already: a single win is no unit
            return replace(value, symbol=symbol)
        words = {"ND": "not doubling", "DT": "doubling and being taken", "DP": "doubling and being passed"}[symbol]
        single, lost = self.payoff(0, 0), self.payoff(0, 3)
        if self.decision.verdict is None and float(single.value) <= float(lost.value):
            return replace(value, symbol=symbol)  # the table calls the match decided: no equity, only a chance
        return _node(symbol, f"equity of {words}", "equity", value, single, lost, unit="equity")

    def _found(self, symbol: str, words: str, value: float) -> Node:
        stakes = self.decision.stakes
        number = value if stakes.money else float(stakes.to_mwc(value))
        return Node(symbol, f"{words}, found by {self.decision.model or 'the evaluation'}", number, unit=self.unit)

    def passed(self, level: int) -> Node:
        """Worth of the opponent's pass at a cube level."""
        return self.payoff(level, 0 if self.decision.stakes.pips is None else 6)

    def given(self, level: int) -> Node:
        """Worth of the mover's pass at a cube level."""
        return self.payoff(level, 3 if self.decision.stakes.pips is None else 7)

    def payoff(self, level: int, result: int) -> Node:
        """Worth of a result (6 and 7 under pip scoring: the opponent's, the mover's pass) at a cube level."""
        if (level, result) in self._payoffs:
            return self._payoffs[level, result]
        stakes = self.decision.stakes
        if stakes.pips is not None:
            node = self._payoffs[level, result] = _paid(stakes, level, result)
            return node
        name = ("a win", "a gammon won", "a backgammon won", "a loss", "a gammon lost", "a backgammon lost")[result]
        cube = stakes.cube.value * 2**level
        symbol = f"{('w', 'wg', 'wb', 'l', 'lg', 'lb')[result]}{_sub(level)}"
        value = float(stakes.payoffs[level, result])
        if stakes.money:
            words = f"{name} with the cube at {cube}"
            if abs(value) < (1, 2, 3)[result % 3] * 2**level:
                node = Node(symbol, f"{words}: gammons do not count on a centred cube (Jacoby)", value, unit="points")
            else:
                node = Node(symbol, f"{words}, in units of the cube now", value, unit="points")
        else:
            points = (1, 2, 3)[result % 3] * cube
            after = stakes.match.after(points, 0) if result < 3 else stakes.match.after(0, points)
            where = "the match is over" if after is None else f"the score becomes {after.score_text}"
            node = Node(symbol, f"{name} with the cube at {cube}: {where}", float(stakes.to_mwc(value)), unit="mwc")
        self._payoffs[level, result] = node
        return node

    def chances(self) -> list[Node]:
        if not self._chances:
            assert self.decision.probabilities is not None
            names = ("single win", "gammon won", "backgammon won", "single loss", "gammon lost", "backgammon lost")
            symbols = ("p1", "p2", "p3", "q1", "q2", "q3")
            values = self.decision.probabilities.array
            self._chances = [
                Node(s, f"chance of a {n}", float(v), unit="chance")
                for s, n, v in zip(symbols, names, values, strict=True)
            ]
        return self._chances

    def win(self) -> Node:
        if self._win is None:
            self._win = _node("p", "chance to win the game", "share", *self.chances(), unit="chance")
        return self._win

    def _average(self, level: int, first: int, symbol: str, words: str) -> Node:
        chances = self.chances()[first : first + 3]
        if sum(float(c.value) for c in chances) <= 1e-305:  # as in the kernel, none at all
            return self.payoff(level, first)
        payoffs = [self.payoff(level, first + i) for i in range(3)]
        return _node(f"{symbol}{_sub(level)}", words, "average", *chances, *payoffs, unit=self.unit)

    def level(self, level: int) -> _Kinks:
        """Averages and live kinks of one level, those above it first; the same rules as the kernel's."""
        if level in self._levels:
            return self._levels[level]
        stakes = self.decision.stakes
        cube = stakes.cube.value * 2**level
        w = self._average(level, 0, "W", f"average win with the cube at {cube}")
        loss = self._average(level, 3, "L", f"average loss with the cube at {cube}")
        here = _Kinks(w, loss, self.passed(level), self.given(level))
        if self._endless(level):
            inputs = (here.w, here.loss, here.passed)
            where = f"live {{}} point with the cube at {cube} (endless redoubles)"
            here.cash = _node(f"c{_sub(level)}", where.format("cash"), "endless cash", *inputs, unit="chance")
            here.take = _node(f"t{_sub(level)}", where.format("take"), "endless take", *inputs, unit="chance")
            here.cash_value, here.take_value = here.passed, here.given
        elif level + 1 < stakes.levels:
            self._bend(here, self.level(level + 1), level, cube)
        self._levels[level] = here
        return here

    def _endless(self, level: int) -> bool:
        """Whether from here on every level is the one below but for scale, and the closed form holds."""
        stakes = self.decision.stakes
        if not stakes.may_turn[-1].any():
            return False
        return level + 1 == stakes.levels or bool((stakes.payoffs[level + 1] == 2 * stakes.payoffs[level]).all())

    def _bend(self, here: _Kinks, above: _Kinks, level: int, cube: int) -> None:
        mover, opponent = self.decision.stakes.may_turn[level]
        zero, one = Node("0", "no chance", 0.0, unit="chance"), Node("1", "certainty", 1.0, unit="chance")
        if mover:
            take, value = (above.take or zero), (above.take_value or above.loss)
            if above.w.value - value.value > 0:  # type: ignore[operator]
                words = f"mover's live cash point with the cube at {cube}"
                point = _node(f"c{_sub(level)}", words, "cash", take, here.passed, value, above.w, unit="chance")
                if 0.0 < float(point.value) < 1.0:
                    here.cash = point
                    play_on = self._dead_at(point, here, level, "playing on at the cash point")
                    words = "the better of cashing and playing on at the cash point"
                    here.cash_value = _node(f"v{_sub(level)}", words, "at least", here.passed, play_on, unit=self.unit)
        if opponent:
            cash, value = (above.cash or one), (above.cash_value or above.w)
            if value.value - above.loss.value > 0:  # type: ignore[operator]
                words = f"mover's live take point with the cube at {cube}"
                point = _node(f"t{_sub(level)}", words, "take", cash, here.given, above.loss, value, unit="chance")
                if 0.0 < float(point.value) < 1.0:
                    here.take = point
                    play_on = self._dead_at(point, here, level, "playing on at the take point")
                    words = "what the opponent makes of the take point: cashing or playing on"
                    here.take_value = _node(f"u{_sub(level)}", words, "at most", here.given, play_on, unit=self.unit)

    def _dead_at(self, point: Node, here: _Kinks, level: int, words: str) -> Node:
        return _node(f"d{_sub(level)}", words, "straight", point, here.w, here.loss, unit=self.unit)

    def _mixed(self, symbol: str, words: str, level: int, axis: int) -> Node:
        x = Node("x", "cube efficiency", float(self.decision.efficiency or 0.0))
        live, dead = self._live(level, axis), self._dead(level, axis)
        here, (mover, opponent) = self.level(level), self.decision.stakes.free[level]
        kink = here.cash is not None and here.cash_value is not None and here.cash_value.value == here.passed.value
        if not (mover and kink) or axis == 2 or (axis == 0 and opponent):
            return _node(symbol, words, "mix", x, live, dead, unit=self.unit)
        assert here.cash is not None
        mixed = _node("v", "the same, if chances moved in small steps", "mix", x, live, dead, unit=self.unit)
        words += " for a turn, in which the chances jump over the cash point"
        return _node(
            symbol, words, "waiting", x, mixed, self.win(), here.cash, here.passed, here.w, here.loss, unit=self.unit
        )

    def _dead(self, level: int, axis: int) -> Node:
        here = self.level(level)
        words = "no further cube"
        dead = _node(f"D{_sub(level)}", words, "straight", self.win(), here.w, here.loss, unit=self.unit)
        mover, opponent = self.decision.stakes.free[level]
        if mover and axis != 2 and not (axis == 0 and opponent):
            words = "redoubling at once, taken or passed"
            turned = _node("r", words, "at most", here.passed, self._dead(level + 1, 2), unit=self.unit)
            words = "losing more costs the mover nothing: turning the cube at once is free"
            return _node(f"D{_sub(level)}*", words, "at least", dead, turned, unit=self.unit)
        if opponent and axis != 1 and not (axis == 0 and mover):
            words = "being redoubled at once, taking or passing"
            turned = _node("r", words, "at least", here.given, self._dead(level + 1, 1), unit=self.unit)
            words = "losing more costs the opponent nothing: they turn the cube at once"
            return _node(f"D{_sub(level)}*", words, "at most", dead, turned, unit=self.unit)
        return dead

    def _live(self, level: int, axis: int) -> Node:
        here, p = self.level(level), self.win()
        zero, one = Node("0", "no chance", 0.0, unit="chance"), Node("1", "certainty", 1.0, unit="chance")
        points: list[tuple[Node, Node]] = [(zero, here.loss)]
        lower = axis != 1 and here.take is not None
        upper = axis != 2 and here.cash is not None
        if lower and upper and float(here.take.value) >= float(here.cash.value):  # type: ignore[union-attr]
            assert here.take is not None
            assert here.cash is not None
            assert here.take_value is not None
            assert here.cash_value is not None
            middle = _node(
                "m", "nobody ever takes: the points meet here", "middle", here.take, here.cash, unit="chance"
            )
            value = _node("v", "worth there", "middle", here.take_value, here.cash_value, unit=self.unit)
            points.append((middle, value))
        else:
            if lower:
                assert here.take is not None
                assert here.take_value is not None
                points.append((here.take, here.take_value))
            if upper:
                assert here.cash is not None
                assert here.cash_value is not None
                points.append((here.cash, here.cash_value))
        points.append((one, here.w))
        owner = ("centred", "the mover's", "the opponent's")[axis]
        words = f"live cube, {owner}"
        number = float(p.value)
        place = 0
        while place + 2 < len(points) and number > float(points[place + 1][0].value):
            place += 1
        (p0, v0), (p1, v1) = points[place], points[place + 1]
        return _node(f"E{_sub(level)}", words, "line", p, p0, v0, p1, v1, unit=self.unit)


def _paid(stakes: Stakes, level: int, result: int) -> Node:
    """Worth of a result or a pass under pip scoring, from the pips that are paid."""
    assert stakes.pips is not None
    names = ("a win", "a gammon won", "a backgammon won", "a loss", "a gammon lost", "a backgammon lost")
    words = (*names, "the opponent's pass", "the mover's pass")[result]
    symbol = f"{('w', 'wg', 'wb', 'l', 'lg', 'lb', 'dp', 'dl')[result]}{_sub(level)}"
    paid = (*stakes.pips.results, stakes.pips.opponent, stakes.pips.mover)[result]
    times = 1 if result > 5 else result % 3 + 1
    sign = 1 if result < 3 or result == 6 else -1
    inputs = (
        Node("k", "the cube, in units of the cube now", float(2**level)),
        Node("f", f"{words}: times", float(sign * times)),
        Node("n", "pips that the loser still needs", float(paid)),
    )
    return _node(symbol, f"{words} with the cube at {stakes.cube.value * 2**level}", "pips", *inputs, unit="points")


def _sub(level: int) -> str:
    """Level as a subscript."""
    return "".join(chr(0x2080 + int(digit)) for digit in str(level))
