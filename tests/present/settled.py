"""A simulation in words, played and summed up after it has settled."""

from __future__ import annotations

from fencepost.present import Replay, Summary, replay, simulation_of, summarize


def play(words: str) -> Replay:
    simulation = simulation_of(words.split())
    return replay(simulation.frames, simulation.settings)


def settled(words: str, skip: int = 300) -> Summary:
    return summarize(play(words), skip=skip)


def ms(time: int) -> float:
    return time / 1e9
