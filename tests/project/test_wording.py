"""Tracked text speaks of fencepost alone, and is laid out alike on every system."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project.repository import ROOT, text_of, tracked_files

# Written so that no pattern matches its own line.
BANNED = {
    "path of somebody's machine": r"(?<![\w.$}])/(?:home|root|work|tmp|opt|Users)/\w",
    "path of somebody's Windows machine": r"\b[A-Za-z]:[\\/]+Users[\\/]+\w",
    "number of an issue": r"\b[Ii]ssues?\s+#?\d",
    "host of a package registry": r"\b(?:pypi|npmjs|crates)\.(?:org|com|io)\b|\bpythonhosted\.",
    "who wrote it": r"\bsub-?agents?\b|\bhelper (?:session|agent)s?\b|\b(?:AI|LLM)\b[- ]",
    "work left for later": r"\b(?:TODO|FIXME|XXX|HACK)\b[:( ]",
    "merge left undone": r"^(?:<{7}|>{7}) ",
}
BINARY = frozenset({".bin", ".gz", ".png", ".zst"})


def banned_words(text: str) -> list[str]:
    """`line: kind` for every banned word."""
    return [
        f"{number}: {kind}"
        for number, line in enumerate(text.splitlines(), start=1)
        for kind, pattern in BANNED.items()
        if re.search(pattern, line)
    ]


def layout_faults(data: bytes) -> list[str]:
    """What keeps a text file from being the same on every system."""
    faults = []
    if b"\r" in data:
        faults.append("a carriage return")
    if data and not data.endswith(b"\n"):
        faults.append("no newline at the end")
    if data.startswith(b"\xef\xbb\xbf"):
        faults.append("a byte order mark")
    return faults


def text_files() -> list[Path]:
    return [path for path in tracked_files() if path.suffix not in BINARY]


def test_nothing_banned_is_tracked() -> None:
    assert text_files()
    assert [
        f"{path.relative_to(ROOT).as_posix()}:{fault}"
        for path in text_files()
        for fault in banned_words(text_of(path))
    ] == []


def test_text_is_laid_out_alike() -> None:
    assert [
        f"{path.relative_to(ROOT).as_posix()}: {fault}"
        for path in text_files()
        for fault in layout_faults(path.read_bytes())
    ] == []


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("see /ho", "me/someone/file"),
        ("'/wo", "rk/main'"),
        ("C:\\Us", "ers\\someone"),
        ("as iss", "ue #12 says"),
        ("as iss", "ue 12 says"),
        ("from https://py", "pi.org/simple"),
        ("written by a sub", "-agent"),
        ("# TO", "DO: later"),
        ("<<<<", "<<< HEAD"),
    ],
)
def test_a_banned_word_is_noticed(begin: str, end: str) -> None:
    (fault,) = banned_words(f"first line\n{begin}{end}\n")
    assert fault.startswith("2: ")


@pytest.mark.parametrize(
    "text",
    [
        "the work/ directory; homework/one; ../shared/work/file",
        "#!/usr/bin/env bash",
        "two issues that 12 users met",
        "a Vulkan agent; the AIX system",
        "XXXX marks the placeholder 0xXXX",
        "a << b; <<<<<<<<",
    ],
)
def test_plain_words_pass(text: str) -> None:
    assert banned_words(text) == []


@pytest.mark.parametrize(
    ("data", "faults"),
    [
        (b"", []),
        (b"one\ntwo\n", []),
        (b"one\r\ntwo\r\n", ["a carriage return"]),
        (b"one", ["no newline at the end"]),
        (b"\xef\xbb\xbfone\n", ["a byte order mark"]),
    ],
)
def test_layout_faults_are_noticed(data: bytes, faults: list[str]) -> None:
    assert layout_faults(data) == faults
