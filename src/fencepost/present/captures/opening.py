"""The bytes and the text of a capture: a file or standard input, gzip or plain, block by block."""

from __future__ import annotations

import codecs
import gzip
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import BinaryIO

from fencepost.errors import FileProblem, SyntaxProblem
from fencepost.place import Place

STANDARD_INPUT = "-"
GZIP = b"\x1f\x8b"
BLOCK = 1 << 17
"""Bytes that are read at a time."""

LONGEST_LINE = 1 << 20
MOST_BYTES = 8 << 30
"""Bytes of an unpacked capture; a small file may unpack to more than memory holds."""


def name_of(path: Path | str) -> str:
    """A file's name for messages; `-` is standard input."""
    text = str(path)
    return (
        "<stdin>"
        if text == STANDARD_INPUT
        else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    )


class Source:
    """A capture that is read from its beginning to its end; every problem is a `FileProblem`."""

    def __init__(self, stream: BufferedReader, file: str) -> None:
        self.file = file
        self._size = 0
        self._read: Callable[[int], bytes] = stream.read
        if self._try(lambda: stream.peek(2))[:2] == GZIP:
            self._read = gzip.GzipFile(fileobj=stream).read

    def read(self, size: int = BLOCK) -> bytes:
        """The next bytes, none at the end."""
        data = self._try(lambda: self._read(size))
        self._size += len(data)
        if self._size > MOST_BYTES:
            problem = f"unpacks to more than {MOST_BYTES:,} bytes"
            raise FileProblem(problem, Place(self.file, 0), "a smaller capture")
        return data

    def blocks(self) -> Iterator[bytes]:
        """All that is left, a block at a time."""
        while data := self.read():
            yield data

    def _try(self, read: Callable[[], bytes]) -> bytes:
        place = Place(self.file, 0)
        try:
            return read()
        except EOFError:
            raise FileProblem("the gzip data is cut short", place, "a whole file") from None
        except (zlib.error, gzip.BadGzipFile) as error:
            raise FileProblem(f"damaged gzip data ({error})", place, "a whole file") from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise FileProblem(f"cannot read {self.file}: {reason}") from None


@contextmanager
def opened(path: Path | str) -> Iterator[Source]:
    """A capture to read from; raises `FileProblem` where there is none."""
    file = name_of(path)
    if str(path) == STANDARD_INPUT:
        yield Source(_buffered(sys.stdin.buffer), file)
        return
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 - what goes wrong later is told apart
    except OSError as error:
        reason = "is a directory" if Path(path).is_dir() else (error.strerror or str(error)).lower()
        raise FileProblem(f"cannot read {file}: {reason}", expected="a readable file") from None
    except ValueError as error:  # a name with a zero character
        raise FileProblem(f"cannot read {file!r}: {error}", expected="the name of a file") from None
    with stream:
        yield Source(stream, file)


def source_of(data: bytes, file: str) -> Source:
    """A capture that is in memory."""
    return Source(BufferedReader(BytesIO(data)), file)


def _buffered(stream: BinaryIO) -> BufferedReader:
    """A stream that can be looked into."""
    return stream if isinstance(stream, BufferedReader) else BufferedReader(BytesIO(stream.read()))


def line_blocks(source: Source, first: bytes) -> Iterator[bytes]:
    """UTF-8 text in blocks of whole lines, each with its newline; `first` was read already.

    What is no text of its encoding stays as it is, or becomes U+FFFD: only names are not plain
    letters and digits. Raises `SyntaxProblem` for a line without end.
    """
    rest = b""
    for data in _utf8(first, source.blocks()):
        text = rest + data
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n")
        whole, newline, rest = text.rpartition(b"\n")
        if newline:
            yield whole + newline
        if len(rest) > LONGEST_LINE:
            problem = f"a line of more than {LONGEST_LINE:,} bytes"
            raise SyntaxProblem(problem, Place(source.file, 0), "a capture of presents")
    if rest:
        yield rest + b"\n"


def _utf8(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    """The bytes, or what they are in UTF-8 where they start as UTF-16 does."""
    if not first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        yield first.removeprefix(codecs.BOM_UTF8)
        yield from rest
        return
    decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
    yield decoder.decode(first).encode()
    for data in rest:
        yield decoder.decode(data).encode()
    yield decoder.decode(b"", final=True).encode()
