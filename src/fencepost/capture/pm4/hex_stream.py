"""Carrier: kernel submissions as hex words among `#` lines (docs/pm4.md "Hex streams")."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from fencepost.capture.pm4.buffers import DWORD, CommandBuffer, Ring, Submission, SyncPoint
from fencepost.errors import SyntaxProblem
from fencepost.place import Place

HEX = r"0x[0-9a-f]{1,16}"
COUNT = r"[0-9]{1,12}"
POINT = rf"{COUNT}@[0-9]{{1,18}}"
RING_KINDS = {0: "graphics", 1: "compute"}
"""AMDGPU_HW_IP_GFX and AMDGPU_HW_IP_COMPUTE (amdgpu_drm.h); the others do not run PM4."""

MUTE_CHUNKS = {2: "user fence", 6: "list of buffer objects"}
"""Chunks that order no access by themselves (amdgpu_drm.h AMDGPU_CHUNK_ID_*)."""

WORD = re.compile(r"[0-9a-f]{8}\Z")
WORDS_EXPECTED = "dwords of 8 hexadecimal digits, separated by one blank"


@dataclass(slots=True)
class _Draft:
    """A submission that is still being read."""

    place: Place
    chunks: int
    seen: int = 0
    ring: Ring | None = None
    entries: list[CommandBuffer] = field(default_factory=list)
    targets: dict[int, CommandBuffer] = field(default_factory=dict)
    waits: list[SyncPoint] = field(default_factory=list)
    signals: list[SyncPoint] = field(default_factory=list)


_Row = tuple[re.Pattern[str], Callable[["HexStreamReader", re.Match[str], Place], None]]


class HexStreamReader:
    """Feed it lines with `read`; `finish` gives the submissions. Raises `SyntaxProblem`."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.submissions: list[Submission] = []
        self._draft: _Draft | None = None
        self._entry: tuple[int, int] | None = None  # address and dwords of an announced buffer
        self._filling: tuple[_Draft, CommandBuffer, int] | None = None  # and its dwords
        self._last = 1

    def read(self, number: int, text: str) -> None:
        """Take the next line."""
        self._last = number
        if WORD.match(text[:8]):
            self._words(number, text)
            return
        self._end_buffer()
        place = Place(self.file, number)
        for pattern, handle in self._rows:
            match = pattern.fullmatch(text)
            if match:
                handle(self, match, place)
                return
        raise SyntaxProblem(f"cannot read '{_short(text)}'", place, "a line of a hex stream")

    def finish(self) -> list[Submission]:
        """All submissions, once the last line was read."""
        self._end_buffer()
        self._end_submission()
        return self.submissions

    def _words(self, number: int, text: str) -> None:
        if self._filling is None:
            place = Place(self.file, number)
            raise SyntaxProblem(
                "dwords outside a command buffer", place, "an 'IB' line before them"
            )
        _, buffer, dwords = self._filling
        column = 1
        for word in text.split(" "):
            place = Place(self.file, number, column)
            if not WORD.match(word):
                raise SyntaxProblem(f"'{_short(word)}' is no dword", place, WORDS_EXPECTED)
            if len(buffer.words) == dwords:
                raise SyntaxProblem("more dwords than announced", place, f"{dwords} dwords")
            buffer.append(int(word, 16), number, column)
            column += len(word) + 1

    def _end_buffer(self) -> None:
        """File the buffer that was being filled: a packet may lead to it."""
        if self._filling is None:
            return
        draft, buffer, dwords = self._filling
        self._filling = None
        if len(buffer.words) != dwords:
            raise SyntaxProblem(
                f"the command buffer of line {buffer.line} ends after {len(buffer.words)} dwords",
                Place(self.file, self._last),
                f"{dwords} dwords",
            )
        if buffer.address is None or any(buffer is entry for entry in draft.entries):
            return
        known = draft.targets.setdefault(buffer.address, buffer)
        if known.words != buffer.words:
            raise SyntaxProblem(
                f"address {buffer.address:#x} holds other dwords than in line {known.line}",
                Place(self.file, buffer.line),
                "one content for one address",
            )

    def _submission(self, match: re.Match[str], place: Place) -> None:
        self._end_submission()
        self._draft = _Draft(place, int(match["chunks"]))

    def _end_submission(self) -> None:
        if self._entry is not None:
            raise SyntaxProblem(
                "the command buffer is missing", Place(self.file, self._last), "an 'IB top' line"
            )
        draft = self._draft
        if draft is None:
            return
        if draft.seen != draft.chunks:
            raise SyntaxProblem(
                f"the submission has {draft.seen} chunks",
                draft.place,
                f"{draft.chunks} as announced",
            )
        if draft.ring is None:
            raise SyntaxProblem("the submission has no command buffer", draft.place, "an IB chunk")
        self.submissions.append(
            Submission(
                draft.place,
                draft.ring,
                tuple(draft.entries),
                draft.targets,
                tuple(draft.waits),
                tuple(draft.signals),
            )
        )
        self._draft = None

    def _chunk(self, place: Place) -> _Draft:
        """The submission that a further chunk belongs to."""
        if self._draft is None:
            raise SyntaxProblem("a chunk before the first submission", place, "'# ctx=' first")
        if self._entry is not None:
            raise SyntaxProblem("a chunk where its command buffer should be", place, "'IB top'")
        self._draft.seen += 1
        return self._draft

    def _entry_chunk(self, match: re.Match[str], place: Place) -> None:
        draft = self._chunk(place)
        for name in ("flags", "ip_instance"):
            if int(match[name], 0):
                raise SyntaxProblem(f"{name}={match[name]} is not supported", place, f"{name}=0")
        kind = RING_KINDS.get(int(match["ip_type"]))
        if kind is None:
            raise SyntaxProblem(
                f"ip_type={match['ip_type']} does not run PM4", place, "0 (graphics) or 1 (compute)"
            )
        ring = Ring(kind, int(match["ring"]))
        if draft.ring not in (None, ring):
            raise SyntaxProblem("one submission on two rings", place, "one ring")
        draft.ring = ring
        size = int(match["bytes"])
        if size % DWORD:
            raise SyntaxProblem(f"{size} bytes are no whole dwords", place, "a multiple of 4")
        self._entry = (int(match["va"], 16), size // DWORD)

    def _start_buffer(self, match: re.Match[str], place: Place) -> None:
        if self._draft is None or self._draft.ring is None:
            raise SyntaxProblem("a command buffer outside a chunk", place, "'# chunk IB' before it")
        address, dwords = int(match["va"], 16), int(match["dw"])
        buffer = CommandBuffer(self.file, place.line, address)
        if match["kind"] == "top":
            if self._entry != (address, dwords):
                raise SyntaxProblem(
                    f"{dwords} dwords at {address:#x} were not announced", place, self._announced()
                )
            self._entry = None
            self._draft.entries.append(buffer)
        elif self._entry is not None:
            raise SyntaxProblem("the chunk's own command buffer is missing", place, "'IB top'")
        self._filling = (self._draft, buffer, dwords)

    def _announced(self) -> str:
        if self._entry is None:
            return "a '# chunk IB' line first"
        return f"{self._entry[1]} dwords at {self._entry[0]:#x} as in the chunk"

    def _timeline(self, match: re.Match[str], place: Place) -> None:
        draft = self._chunk(place)
        points = draft.waits if match["what"] == "WAIT" else draft.signals
        for pair in match["points"].split():
            handle, _, point = pair.partition("@")
            points.append(SyncPoint(int(handle), int(point), place))

    def _other_chunk(self, match: re.Match[str], place: Place) -> None:
        self._chunk(place)
        if int(match["id"]) not in MUTE_CHUNKS:
            known = ", ".join(f"{key} ({name})" for key, name in MUTE_CHUNKS.items())
            raise SyntaxProblem(f"chunk id={match['id']} is not supported", place, known)

    def _mapping(self, match: re.Match[str], place: Place) -> None:
        """An address range that was mapped: says nothing about accesses."""

    _rows: tuple[_Row, ...] = (
        (re.compile(rf"# ctx={COUNT} chunks=(?P<chunks>{COUNT})"), _submission),
        (
            re.compile(
                rf"# chunk IB flags=(?P<flags>{HEX}) ip_type=(?P<ip_type>{COUNT})"
                rf" ip_instance=(?P<ip_instance>{COUNT}) ring=(?P<ring>{COUNT})"
                rf" va=(?P<va>{HEX}) bytes=(?P<bytes>{COUNT})"
            ),
            _entry_chunk,
        ),
        (
            re.compile(
                rf"IB (?P<kind>top|ib2|chain) depth={COUNT} va=(?P<va>{HEX}) dw=(?P<dw>{COUNT})"
            ),
            _start_buffer,
        ),
        (
            re.compile(rf"# chunk TIMELINE_(?P<what>WAIT|SIGNAL) (?P<points>{POINT}( {POINT})*)"),
            _timeline,
        ),
        (re.compile(rf"# chunk id=(?P<id>{COUNT}) dw={COUNT}"), _other_chunk),
        (re.compile(rf"# va {HEX} \+{HEX}"), _mapping),
        (re.compile(r""), _mapping),
    )


def read_hex_stream(lines: Iterable[tuple[int, str]], file: str) -> list[Submission]:
    """The submissions of a hex stream; raises `SyntaxProblem`."""
    reader = HexStreamReader(file)
    for number, text in lines:
        reader.read(number, text)
    return reader.finish()


def _short(text: str) -> str:
    """Foreign text for a message: printable, short."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in text)
    return clean if len(clean) <= 40 else f"{clean[:37]}..."
