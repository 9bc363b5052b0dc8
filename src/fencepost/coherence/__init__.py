"""The replay: is every access ordered, available, visible, and no write lost? (design 2, 4, 5)"""

from fencepost.coherence.checking import check, why
from fencepost.coherence.finding import Finding, Kind, Report

__all__ = ["Finding", "Kind", "Report", "check", "why"]
