"""What is done when in a training run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .store import MOTHER


@dataclass(frozen=True)
class Schedule:
    """What is done when. The model card says how the shipped weights were made, which these defaults did not make.

    Attributes
    ----------
    td_chunks, td_size, td_trace : int, int, float
        Chunks of the first stage (temporal differences), positions in each, λ.
    size : int
        Positions in each chunk of the second stage.
    traces : tuple of (float, float)
        λ of the labels after how many labels of the second stage; linear between. A long trace brings in what happens
        far ahead and keeps the networks' common level; a short one is quiet, which is worth more as soon as the levels
        are right: "mutual" was off its labels by .10 with 0.95, .06 with 0.85, .035 with 0.65.
    explore : tuple of (float, float)
        Share of exploratory replies after how many labels of the second stage; linear between. They show the networks
        what lies beside the plays they prefer.
    window : float
        How much equity (points) exploratory replies may give away.
    races : float
        Share of games that start from a random race.
    margin : float
        Plays that the pruning network places further below its best (points) are not evaluated. What it leaves out the
        networks never learn: a roll in a back game lost .0021 points with .15, .0007 with .25, .0004 with .4, at 4.3,
        5.2 and 5.9 plays evaluated (networks of 21 M labels).
    lessons : int
        Lessons of the pruning network before it is used.
    passes, replay : int
        How often each label is used in the mean; how many of the latest labels of each network are kept.
    fresh, least : float
        Of all labels the share, the latest, that is learned from, and the least number: labels made by networks of long
        ago hold a young network back.
    rate, half : float
        Step size at the beginning of the second stage; labels after which it has halved (then 1/n).
    cycles : tuple of (float, float, float)
        After how many labels of the second stage the step size begins anew, with what, and after how many it has
        fallen straight to nothing. The run ends with the last one.
    birth : float
        Labels after which the contact networks part; until then one (`store.MOTHER`) learns for all.
    equity_weight : float
        Weight of the squared equity error in the loss.
    decay : float
        Weight decay, in step sizes, at the beginning of the second stage; it falls as 1/n with `half` too. Without it
        rare blocks are learned by heart at first: error on labels not seen .0672 against .0654, on those seen .0583
        against .0595 (1 M labels, 4 passes). Later it costs: variance left by labels without noise (0.5 M of "mutual",
        8 passes) .00071 with 0.3, .00065 with nothing.
    """

    td_chunks: int = 150
    td_size: int = 100_000
    td_trace: float = 0.8
    size: int = 25_000
    traces: tuple[tuple[float, float], ...] = ((0.0, 0.95), (7e6, 0.95), (8e6, 0.85), (20e6, 0.85), (40e6, 0.65))
    explore: tuple[tuple[float, float], ...] = ((49e6, 0.12), (55e6, 0.03))
    window: float = 0.1
    races: float = 0.05
    margin: float = 0.3
    lessons: int = 600_000
    passes: int = 3
    replay: int = 3_000_000
    fresh: float = 0.25
    least: float = 1_500_000
    rate: float = 1.5e-3
    half: float = 8_000_000
    cycles: tuple[tuple[float, float, float], ...] = ((49e6, 6e-4, 90e6), (90e6, 6e-4, 140e6))
    birth: float = 8_000_000
    equity_weight: float = 1.0
    decay: float = 0.3

    @property
    def total(self) -> float:
        """Labels of the second stage."""
        return self.cycles[-1][2]

    def trace(self, k: int) -> float:
        """λ of the labels of chunk k."""
        if k < self.td_chunks:
            return self.td_trace
        labels, traces = zip(*self.traces, strict=True)
        return float(np.interp((k - self.td_chunks) * self.size, labels, traces))

    def exploring(self, k: int) -> float:
        """Share of exploratory replies in chunk k."""
        if k < self.td_chunks:
            return 0.0
        labels, shares = zip(*self.explore, strict=True)
        return float(np.interp((k - self.td_chunks) * self.size, labels, shares))

    def window_chunks(self, labels: float) -> int:
        """How many of the latest chunks the networks learn from, after a number of labels of the second stage."""
        return round(max(self.fresh * labels, self.least) / self.size)

    def step(self, labels: float) -> float:
        """Step size of Adam after a number of labels of the second stage."""
        for start, rate, end in reversed(self.cycles):
            if labels >= start:
                return rate * max((end - labels) / (end - start), 0.0)
        return self.rate / (1.0 + labels / self.half)

    def shrinking(self, labels: float) -> float:
        """Weight decay, in step sizes, after a number of labels of the second stage."""
        return self.decay / (1.0 + labels / self.half)

    def owner(self, name: str, labels: float) -> str:
        """The network that learns a network's positions after a number of labels."""
        return name if name == "race" or labels >= self.birth else MOTHER
