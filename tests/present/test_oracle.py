"""An outside simulator of FIFO presentation: presentation.md 0.2, 16 ms refresh, no overhead."""

from __future__ import annotations

import pytest

from tests.present.settled import ms, settled

# sets of frame resources, images, CPU ms, GPU ms, FPS, lag ms: the rows of up to three images
ROWS = [
    (2, 2, 16, 15, 62.5, 32),
    (2, 2, 5, 17, 31.3, 79),
    (2, 3, 5, 17, 58.8, 41),
    (3, 3, 5, 20, 50.1, 69),
    (1, 2, 5, 5, 62.5, 27),
    (2, 2, 5, 5, 62.5, 43),
    (1, 3, 5, 5, 62.5, 43),
    (2, 3, 5, 5, 62.5, 59),
    (3, 3, 5, 5, 62.5, 75),
]


@pytest.mark.parametrize(("sets", "images", "cpu", "gpu", "rate", "lag"), ROWS)
def test_row(sets: int, images: int, cpu: int, gpu: int, rate: float, lag: float) -> None:
    """Its CPU waits for frame resources only, never in Present; its GPU binds early."""
    result = settled(
        f"cpu={cpu} gpu={gpu} in-flight={sets} buffers={images} throttle=off bind=early"
        " refresh=62.5 overhead=0"
    )
    assert result.rate == pytest.approx(rate, abs=0.2)
    assert ms(result.latency) == pytest.approx(lag, abs=0.6)
