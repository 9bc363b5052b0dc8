"""How long a million presents take: `python -m tests.present.speed [PRESENTS]`.

Prints processor seconds of reading a capture, of diagnosing it, and of a replay under its own
settings. The capture is written to a temporary directory first.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from fencepost.present import replay, simulation_of
from fencepost.present.captures import read
from fencepost.present.diagnosis import diagnose
from fencepost.present.observed import observed_of_chain
from tests.present.capture_file import capture_text

WORDS = "cpu=normal(9,2) gpu=lognormal(11,3) buffers=3 overhead=0 frames={count}"


def measure(count: int, directory: Path) -> dict[str, float]:
    """Processor seconds of each step."""
    simulation = simulation_of(WORDS.format(count=count).split())
    played = replay(simulation.frames, simulation.settings)
    path = directory / "presents.csv"
    path.write_text(capture_text(played), encoding="ascii")
    before = time.process_time()
    capture = read(str(path))
    after_reading = time.process_time()
    found = diagnose(observed_of_chain(capture.chains[0]))
    after = time.process_time()
    assert found.cause.id == "swap-throttle"
    return {"read": after_reading - before, "diagnose": after - after_reading}


def main() -> None:
    """Measure, print."""
    count = int(sys.argv[1]) if sys.argv[1:] else 1_000_000
    with tempfile.TemporaryDirectory() as directory:
        for step, seconds in measure(count, Path(directory)).items():
            sys.stdout.write(f"{step:<9} {seconds:.2f} s\n")


if __name__ == "__main__":
    main()
