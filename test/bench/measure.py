"""Alternating measurement of several engines, and what is told of the times.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy

from engines import Engine


@dataclass(frozen=True)
class Plan:
    """How often and how long: a round is one block of calls of every engine."""

    rounds: int = 9
    block_ns: int = 40_000_000  # of hot calls
    paced_calls: int = 40
    period_ns: int = 10_000_000
    evict_bytes: int = 0


@dataclass(frozen=True)
class Times:
    """Nanoseconds per call."""

    hot: numpy.ndarray
    paced: numpy.ndarray

    @property
    def hot_us(self) -> float:
        return float(numpy.median(self.hot)) / 1000

    @property
    def paced_us(self) -> float:
        return float(numpy.median(self.paced)) / 1000 if self.paced.size else math.nan

    def quantile_us(self, quantile: float) -> float:
        """Of the paced calls: what a product sees."""
        return float(numpy.quantile(self.paced, quantile)) / 1000 if self.paced.size else math.nan


def alternate(engines: Mapping[str, Engine], plan: Plan) -> dict[str, Times]:
    """Measures the engines in turn, so that what disturbs the machine disturbs all of them."""
    hot: dict[str, list] = {name: [] for name in engines}
    paced: dict[str, list] = {name: [] for name in engines}
    counts = {}
    slowest = 0.0
    for name, engine in engines.items():
        estimate = float(numpy.median(engine.measure(5)))
        counts[name] = int(min(max(plan.block_ns / max(estimate, 1), 3), 20000))
        slowest = max(slowest, estimate)
    for _ in range(plan.rounds):
        for name, engine in engines.items():
            hot[name].append(engine.measure(counts[name]))
    # A period that an engine cannot keep would not be paced.
    period = max(plan.period_ns, int(2 * slowest)) if plan.period_ns else 0
    paced_rounds = max(plan.rounds // 2, 1) if period else 0
    for _ in range(paced_rounds):
        for name, engine in engines.items():
            paced[name].append(engine.measure(plan.paced_calls, period, plan.evict_bytes))
    empty = numpy.zeros(0, numpy.uint64)
    return {
        name: Times(numpy.concatenate(hot[name]), numpy.concatenate(paced[name]) if paced[name] else empty)
        for name in engines
    }


def geometric_mean(values: Iterable[float]) -> float:
    logs = [math.log(value) for value in values if value > 0 and math.isfinite(value)]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan
