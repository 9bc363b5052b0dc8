"""The bytes of a trace, from a file or standard input, unpacked where they are gzip."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from pathlib import Path

from fencepost.errors import FileProblem
from fencepost.place import Place
from fencepost.stream.reading import STANDARD_INPUT_NAME, name_of

GZIP = b"\x1f\x8b"
CHUNK = 1 << 20

MOST_BYTES = 4 << 30
"""Bytes of an unpacked trace; a small file may unpack to more than memory holds."""


def open_trace(path: Path | str) -> bytes:
    """The bytes of a trace, `-` for standard input; raises `FileProblem`."""
    file = name_of(path)
    try:
        if file == STANDARD_INPUT_NAME:
            return sys.stdin.buffer.read()
        return Path(path).read_bytes()
    except OSError as error:
        reason = "is a directory" if Path(path).is_dir() else (error.strerror or str(error)).lower()
        raise FileProblem(f"cannot read {file}: {reason}", expected="a readable file") from None
    except ValueError as error:  # a name with a zero character
        raise FileProblem(f"cannot read {file!r}: {error}", expected="the name of a file") from None


def unpacked(data: bytes, file: str) -> bytes:
    """`data`, or what it unpacks to; raises `FileProblem` where it is cut short or damaged."""
    if not data.startswith(GZIP):
        return data
    place = Place(file, 0)
    try:
        return _gunzip(data, place)
    except EOFError:
        raise FileProblem("the gzip data is cut short", place, "a whole file") from None
    except (zlib.error, gzip.BadGzipFile) as error:
        raise FileProblem(f"damaged gzip data ({error})", place, "a whole file") from None


def _gunzip(data: bytes, place: Place) -> bytes:
    chunks: list[bytes] = []
    size = 0
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        while chunk := stream.read(CHUNK):
            chunks.append(chunk)
            size += len(chunk)
            if size > MOST_BYTES:
                problem = f"unpacks to more than {MOST_BYTES:,} bytes"
                raise FileProblem(problem, place, "a smaller trace")
    return b"".join(chunks)
