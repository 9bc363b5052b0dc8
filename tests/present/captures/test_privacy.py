"""Who a capture belongs to stays in it: paths and free text reach no report (design 11)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fencepost.errors import FencepostError
from fencepost.present.captures import read_data
from fencepost.present.captures.writing import FORMATS
from tests.present.captures.edit import fill, put, with_column
from tests.present.captures.recorder import HEADERS, json_of, json_run, text_of

OWNER = "jane.doe"
DRIVE, HOME = "C:\\", "/home"
PATHS = (
    f"{DRIVE}Users\\{OWNER}\\Title.exe",
    f"{HOME}/{OWNER}/title/Title.exe",
    f"\\\\server\\{OWNER}\\Title.exe",
    f"{DRIVE}{OWNER}\\Title.exe",
)


def captures() -> Iterator[bytes]:
    """Captures that hold the name in every place where one can be."""
    for form in sorted(HEADERS):
        data = text_of(form)
        for path in PATHS:
            quoted = f'"{path}"'
            yield with_column(data, "ProcessPath", path)
            yield with_column(data, path, "1")
            yield data + f"{path}\n".encode()
            yield data.replace(b"4242", path.encode())
            for title in HEADERS[form].split(","):
                if form not in ("CapFrameX CSV", "MangoHud", "OCAT"):
                    yield fill(data, title, path)
                    yield put(data, title, 2, quoted)
    for path in PATHS:
        yield json_of(json_run(), ProcessName=path, Comment=path, GameName=path)
        run = json_run()
        yield json_of({**run, "PresentMonRuntime": path}, Comment=path)
        columns = run["CaptureData"]
        assert isinstance(columns, dict)
        for key in columns:
            yield json_of({**run, "CaptureData": {**columns, key: [path] * 5}})
            yield json_of({**run, "CaptureData": {**columns, path: [1] * 5}})
    yield text_of("CapFrameX CSV").replace(b"=none", f"={PATHS[0]}".encode())
    yield f"{PATHS[0]},1,2\n".encode()


def said(data: bytes) -> bytes:
    """All that comes out of a capture."""
    try:
        capture = read_data(data, "t")
    except FencepostError as error:
        return str(error).encode()
    made = [FORMATS[form](capture) for form in ("csv", "jsonl")]
    labels = [chain.label for chain in capture.chains]
    return b"\n".join([*made, "\n".join([*labels, *capture.notes]).encode()])


def test_no_name_comes_out() -> None:
    found = [data for data in captures() if OWNER.encode() in said(data)]
    assert found == []


@pytest.mark.parametrize("path", PATHS)
def test_the_file_name_does(path: str) -> None:
    (chain,) = read_data(fill(text_of("PresentMon 2.4"), "Application", path), "t").chains
    assert chain.application == "Title.exe"


def test_names_stay_on_one_line_and_short() -> None:
    for name, shown in (
        ("a\x1b[31mb.exe", "a?[31mb.exe"),
        ("x" * 99, "x" * 57 + "..."),
        ("<error>", ""),
    ):
        data = fill(text_of("PresentMon 2.4"), "Application", name)
        assert read_data(data, "t").chains[0].application == shown
