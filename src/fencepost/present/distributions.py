"""Frame times out of a seed: the same seed gives the same picoseconds everywhere."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from fencepost.errors import UsageProblem
from fencepost.present.units import LONGEST, PARTS, decimal_of, milliseconds, parts_of

_STANDARD = NormalDist()
_CALL = re.compile(r"\s*([a-z]+)\s*\(([^()]*)\)\s*")


class Shape(NamedTuple):
    """A distribution: its arguments, times unless they end with %, and how to draw a time."""

    name: str
    arguments: tuple[str, ...]
    draw: Callable[[Random, tuple[int, ...]], float]

    @property
    def form(self) -> str:
        """How it is written."""
        return f"{self.name}({', '.join(self.arguments)})"


def _uniform(random: Random, arguments: tuple[int, ...]) -> float:
    one, other = arguments
    return one + random.random() * (other - one)


def _normal(random: Random, arguments: tuple[int, ...]) -> float:
    mean, deviation = arguments
    return mean + deviation * _draw_standard(random)


def _lognormal(random: Random, arguments: tuple[int, ...]) -> float:
    mean, deviation = arguments
    if not mean:
        return 0.0
    square = math.log1p((deviation / mean) ** 2)
    return mean * math.exp(math.sqrt(square) * _draw_standard(random) - square / 2)


def _spikes(random: Random, arguments: tuple[int, ...]) -> float:
    usual, spike, parts = arguments
    return spike if random.random() * PARTS < parts else usual


def _draw_standard(random: Random) -> float:
    # random() alone is promised to stay the same from one Python to the next.
    return _STANDARD.inv_cdf(random.random() or 0.5)


SHAPES = (
    Shape("constant", ("time",), lambda _, arguments: arguments[0]),
    Shape("uniform", ("from", "to"), _uniform),
    Shape("normal", ("mean", "deviation"), _normal),
    Shape("lognormal", ("mean", "deviation"), _lognormal),
    Shape("spikes", ("usual", "spike", "share%"), _spikes),
)


@dataclass(frozen=True, slots=True)
class Distribution:
    """A shape with its arguments; times below 0 are 0."""

    shape: Shape
    arguments: tuple[int, ...]

    def draw(self, count: int, seed: str) -> list[int]:
        """So many times in picoseconds."""
        random = Random(seed)  # noqa: S311 (frame times, no secrets)
        draw = self.shape.draw
        return [min(max(0, round(draw(random, self.arguments))), LONGEST) for _ in range(count)]


def distribution_of(text: str, name: str = "time") -> Distribution:
    """`16.2`, `normal(16.2, 0.5)`: arguments in milliseconds; raises `UsageProblem`."""
    match = _CALL.fullmatch(text)
    if match is None:
        return Distribution(SHAPES[0], (milliseconds(text.strip(), name),))
    shape = next((shape for shape in SHAPES if shape.name == match[1]), None)
    if shape is None:
        known = ", ".join(shape.form for shape in SHAPES)
        raise UsageProblem(f"{name} has the unknown distribution {match[1]}", expected=known)
    given = match[2].split(",")
    if len(given) != len(shape.arguments):
        raise UsageProblem(f"{name} has {len(given)} arguments", expected=shape.form)
    return Distribution(shape, tuple(map(_argument, shape.arguments, given)))


def _argument(name: str, text: str) -> int:
    if name.endswith("%"):
        number = text.strip().removesuffix("%")
        return parts_of(decimal_of(number, name.removesuffix("%")) / 100, name)
    return milliseconds(text.strip(), name)
