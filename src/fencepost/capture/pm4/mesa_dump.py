"""Carrier: the text that Mesa prints for `AMD_DEBUG=ib` (docs/pm4.md "Mesa dumps").

Only the raw dwords count, the first column; the decoded words beside them are Mesa's and change
between versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from fencepost.capture.pm4.buffers import Capture, CommandBuffer, Ring, Submission
from fencepost.errors import SyntaxProblem
from fencepost.place import Place

COLOR = re.compile(r"\x1b\[[0-9;]*m")
DWORD_LINE = re.compile(r"([0-9a-f]{8})( .*)?")
MARKER = re.compile(
    r"-{3,} (?P<name>[A-Za-z0-9][A-Za-z0-9 _:]{0,40}?) (?P<edge>begin|end)"
    r" \(dw = (?P<dwords>[0-9]{1,9})\) -{3,}"
)

RINGS = {"GFX": Ring("graphics", 0), "IB": Ring("graphics", 0)}
"""Which queue a stream's name in the dump stands for (radeonsi prints `GFX`, older ones `IB`)."""


class MesaDumpReader:
    """Feed it lines with `read`; `finish` gives the capture. Raises `SyntaxProblem`."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._submissions: list[Submission] = []
        self._skipped: list[Place] = []
        self._open: tuple[str, int, CommandBuffer] | None = None
        self._last = 1

    def read(self, number: int, text: str) -> None:
        """Take the next line."""
        self._last = number
        place = Place(self.file, number)
        text = COLOR.sub("", text)
        marker = MARKER.fullmatch(text)
        if marker:
            self._mark(marker, place)
        elif self._open is not None:
            self._inside(self._open[2], text, place)
        elif DWORD_LINE.fullmatch(text):
            raise SyntaxProblem("a dword outside the marked streams", place, "'begin' before it")
        elif text:
            self._skipped.append(place)

    def finish(self) -> Capture:
        """All streams, once the last line was read."""
        if self._open is not None:
            place = Place(self.file, self._last)
            problem = f"the stream of line {self._open[2].line} has no end"
            raise SyntaxProblem(problem, place, f"'{self._open[0]} end'")
        return Capture(self.file, tuple(self._submissions), tuple(self._skipped))

    def _mark(self, marker: re.Match[str], place: Place) -> None:
        name, dwords = marker["name"], int(marker["dwords"])
        if marker["edge"] == "begin":
            if self._open is not None:
                raise SyntaxProblem("a stream inside a stream", place, f"'{self._open[0]} end'")
            if name not in RINGS:
                raise SyntaxProblem(
                    f"the queue of a stream named '{name}' is not known", place, " or ".join(RINGS)
                )
            self._open = (name, dwords, CommandBuffer(self.file, place.line, None))
            return
        if self._open is None or self._open[0] != name:
            raise SyntaxProblem(f"'{name}' ends without a beginning", place, f"'{name} begin'")
        _, announced, buffer = self._open
        # The beginning often says 0: it is printed before the size is known.
        for declared in (announced or dwords, dwords):
            if declared != len(buffer.words):
                raise SyntaxProblem(
                    f"{len(buffer.words)} dwords were found", place, f"dw = {declared} as declared"
                )
        start = Place(self.file, buffer.line)
        self._submissions.append(Submission(start, RINGS[name], (buffer,)))
        self._open = None

    def _inside(self, buffer: CommandBuffer, text: str, place: Place) -> None:
        match = DWORD_LINE.fullmatch(text)
        if match:
            buffer.append(int(match[1], 16), place.line, 1)
        elif text and not text.startswith(" "):
            raise SyntaxProblem(
                "a line that is neither a dword nor its continuation",
                place,
                "8 hexadecimal digits or a blank at its start",
            )


def read_mesa_dump(lines: Iterable[tuple[int, str]], file: str) -> Capture:
    """The streams of a Mesa dump; raises `SyntaxProblem`."""
    reader = MesaDumpReader(file)
    for number, text in lines:
        reader.read(number, text)
    return reader.finish()
