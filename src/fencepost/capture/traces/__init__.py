"""Measured timelines: Chrome trace events (plain or gzip) and `queue,name,start,duration` CSV."""

from fencepost.capture.traces.reading import load_trace, read_trace

__all__ = ["load_trace", "read_trace"]
