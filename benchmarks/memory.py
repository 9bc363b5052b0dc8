"""Peak memory of this process, where the system tells."""

from __future__ import annotations

import sys


def peak_bytes() -> int | None:
    """Bytes of memory that this process has held at most; None on Windows."""
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - there is no such module on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
