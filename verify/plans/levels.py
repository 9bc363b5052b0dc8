"""At which level of guarantees plans are made."""

from __future__ import annotations


def planned_level(guarantees: str) -> str:
    """`documented` is planned as `cautious`: no event stands in for a barrier (deviations 27)."""
    return "cautious" if guarantees == "documented" else guarantees
