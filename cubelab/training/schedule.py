"""What is done when in a training run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .store import PARENTS


@dataclass(frozen=True)
class Schedule:
    """What is done when; the defaults made the shipped weights.

    Attributes
    ----------
    td_chunks, td_size : int
        Chunks of the first stage (temporal differences), positions in each.
    size : int
        Positions in each chunk of the second stage.
    trace, last_trace, settled : float
        λ of the labels at first, and from `settled` labels of the second stage on (linear between): quiet labels teach
        faster, but only a long trace keeps the networks' common level.
    explore, window : float
        Share of exploratory replies, and how much equity (points) they may give away.
    races : float
        Share of games that start from a random race.
    margin : float
        Plays that the pruning network places further below its best (points) are not evaluated.
    lessons : int
        Lessons of the pruning network before it is used.
    passes, replay : int
        How often each label is used in the mean; how many of the latest labels of each network are kept.
    rate, half : float
        Step size at the beginning of the second stage; labels after which it has halved (then 1/n).
    total : float
        Labels of the second stage; over the last quarter of them the step size falls to nothing.
    births : tuple of (str, float)
        Networks that begin as copies of another (`store.PARENTS`), and after how many labels they do.
    equity_weight : float
        Weight of the squared equity error in the loss.
    decay : float
        Weight decay, in step sizes. Without it rare blocks are learned by heart: error on labels not seen .0672 against
        .0654, on those seen .0583 against .0595 (1 M labels, 4 passes).
    """

    td_chunks: int = 150
    td_size: int = 100_000
    size: int = 25_000
    trace: float = 0.8
    last_trace: float = 0.95
    settled: float = 10_000_000
    explore: float = 0.03
    window: float = 0.1
    races: float = 0.05
    margin: float = 0.15
    lessons: int = 600_000
    passes: int = 2
    replay: int = 1_500_000
    rate: float = 1.5e-3
    half: float = 2_500_000
    total: float = 46_000_000
    births: tuple[tuple[str, float], ...] = (
        ("behind", 4_000_000),
        ("ahead", 4_000_000),
        ("back", 10_000_000),
        ("front", 10_000_000),
        ("bar", 10_000_000),
    )
    equity_weight: float = 1.0
    decay: float = 0.3

    def at_chunk(self, k: int) -> Schedule:
        """The schedule with the λ of chunk k."""
        share = min(max(k - self.td_chunks, 0) * self.size / self.settled, 1.0)
        return replace(self, trace=self.trace + share * (self.last_trace - self.trace))

    def step(self, labels: float) -> float:
        """Step size of Adam after a number of labels of the second stage."""
        return self.rate / (1.0 + labels / self.half) * min(max(4.0 * (1.0 - labels / self.total), 0.0), 1.0)

    def owner(self, name: str, labels: float) -> str:
        """The network that learns a network's positions: itself, or its parent until it is born."""
        births = dict(self.births)
        while labels < births.get(name, 0.0):
            name = PARENTS[name]
        return name
