"""Integer time: what a program takes on a machine, who waits for whom, what is not hidden."""

from fencepost.timing.simulate import Options, simulate
from fencepost.timing.timeline import Timeline

__all__ = ["Options", "Timeline", "simulate"]
