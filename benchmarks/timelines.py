"""Timelines of many slices: reading, figures, writing; beside peers that do part of the same.

`python -m benchmarks.timelines [SLICES]` runs every task in a process of its own.
"""

from __future__ import annotations

import importlib
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.memory import peak_bytes
from fencepost.capture.traces import load_trace
from fencepost.report.chrome import write_chrome
from fencepost.report.perfetto import write_perfetto
from fencepost.timeline import Timeline, figures

SLICES = 1_000_000
QUEUES = 8
KERNELS = 300


def lines(slices: int) -> Iterator[str]:
    """The events of a trace as Kineto writes them, in microseconds with three decimals."""
    chance = random.Random(1)
    now = [0] * QUEUES
    for number in range(slices):
        queue = chance.randrange(QUEUES)
        start = now[queue] + chance.randrange(5_000)
        length = chance.randrange(1, 20_000)
        now[queue] = start + length
        kernel = chance.randrange(KERNELS)
        name = f"void kernel_{kernel}<float, {kernel}>(float*, float const*, int, int)"
        arguments = f'"External id":{number},"device":0,"stream":{queue},"correlation":{number}'
        times = (
            f'"ts":{start // 1000}.{start % 1000:03d},"dur":{length // 1000}.{length % 1000:03d}'
        )
        head = f'"ph":"X","cat":"kernel","name":"{name}","pid":0,"tid":{queue}'
        yield f'{{{head},{times},"args":{{{arguments},"grid":[640,1,1],"block":[128,1,1]}}}}'


def make(path: Path, slices: int) -> None:
    """Write the trace."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write('{"traceEvents":[\n')
        for number, line in enumerate(lines(slices)):
            stream.write(f"{',' if number else ''}{line}\n")
        stream.write("]}\n")


def _with(path: Path, work: Callable[[Timeline], object]) -> Callable[[], object]:
    timeline = load_trace(path)
    return lambda: work(timeline)


def _peer_json(path: Path) -> Callable[[], object]:
    """The standard library's JSON, which only builds objects."""
    return lambda: json.loads(path.read_bytes())


def _peer_perfetto(path: Path) -> Callable[[], object]:
    """Perfetto's own classes for Python, the same packets."""
    timeline = load_trace(path)
    protos: Any = importlib.import_module("perfetto.protos.perfetto.trace.perfetto_trace_pb2")

    def write() -> object:
        trace = protos.Trace()
        for track in range(len(timeline.tracks)):
            for place in timeline.on_track(track):
                times = (timeline.starts[place], timeline.ends[place])
                for kind, instant in enumerate(times, start=1):
                    packet = trace.packet.add()
                    packet.timestamp = instant // 1000
                    packet.trusted_packet_sequence_id = 1
                    packet.sequence_flags = 2
                    packet.track_event.type = kind
                    packet.track_event.track_uuid = track + 1
                    if kind == 1:
                        packet.track_event.name_iid = timeline.kinds[place] + 1
                        packet.track_event.category_iids.append(1)
        return trace.SerializeToString()

    return write


TASKS: dict[str, Callable[[Path], Callable[[], object]]] = {
    "read": lambda path: lambda: load_trace(path),
    "figures": lambda path: _with(path, figures),
    "write perfetto": lambda path: _with(path, write_perfetto),
    "write chrome": lambda path: _with(path, write_chrome),
    "peer: json.loads": _peer_json,
    "peer: perfetto package": _peer_perfetto,
}
"""Name -> a function that prepares, unmeasured, and hands back what is measured."""


def main(arguments: list[str]) -> None:
    """Every task; or one, where its name and a file are given, as one JSON object."""
    if len(arguments) == 2:
        job = TASKS[arguments[0]](Path(arguments[1]))
        start = time.process_time()
        job()
        seconds = time.process_time() - start
        print(json.dumps({"seconds": seconds, "peak_bytes": peak_bytes()}))
        return
    slices = int(arguments[0]) if arguments else SLICES
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "trace.json"
        make(path, slices)
        print(f"{slices:,} slices on {QUEUES} queues, {path.stat().st_size / 1e6:,.0f} MB")
        for name in TASKS:
            _report(name, path, slices)


def _report(name: str, path: Path, slices: int) -> None:
    command = [sys.executable, "-m", "benchmarks.timelines", name, str(path)]
    run = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")
    found = json.loads(run.stdout)
    peak = f"{found['peak_bytes'] / 2**20:,.0f} MiB" if found["peak_bytes"] else "-"
    rate = slices / found["seconds"]
    print(f"  {name:<24} {found['seconds']:6.2f} s  {rate:>11,.0f} slices/s  peak {peak}")


if __name__ == "__main__":
    main(sys.argv[1:])
