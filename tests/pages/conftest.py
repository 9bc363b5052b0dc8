"""One browser for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="session")
def driver() -> Iterator[Chrome]:
    """A Chromium without a window."""
    from tests.pages.browser import start

    made = start()
    yield made
    made.quit()
