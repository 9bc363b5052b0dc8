from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import fencepost.cli.output
from fencepost.cli.output import check_target, write_file, write_output
from fencepost.errors import FileProblem
from tests.cli.run import raising


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_a_new_file_is_written_whole(tmp_path: Path) -> None:
    write_output(b"data\n", str(tmp_path / "new"))
    assert (tmp_path / "new").read_bytes() == b"data\n"
    assert names(tmp_path) == ["new"]


def test_a_file_is_replaced_only_when_asked(tmp_path: Path) -> None:
    target = tmp_path / "old"
    target.write_bytes(b"old")
    with pytest.raises(FileProblem, match="exists already"):
        write_output(b"new", str(target))
    assert target.read_bytes() == b"old"
    write_output(b"new", str(target), force=True)
    assert target.read_bytes() == b"new"
    assert names(tmp_path) == ["old"]


@pytest.mark.parametrize("before", [None, b"old"])
def test_a_failure_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes | None
) -> None:
    target = tmp_path / "file"
    if before is not None:
        target.write_bytes(before)

    full = OSError(28, "No space left on device")
    monkeypatch.setattr(fencepost.cli.output, "_replace", raising(full))
    with pytest.raises(FileProblem, match=r"cannot be written \(No space left on device\)"):
        write_file(target, b"new", replace=True)
    assert names(tmp_path) == ([] if before is None else ["file"])
    if before is not None:
        assert target.read_bytes() == before


def test_a_failure_in_the_middle_leaves_no_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")

    monkeypatch.setattr(Path, "replace", raising(PermissionError(13, "Permission denied")))
    with pytest.raises(FileProblem, match="cannot be written"):
        write_file(target, b"new", replace=True)
    assert names(tmp_path) == ["file"]
    assert target.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("name", "said"),
    [(".", "is a directory"), ("no/such/dir/file", "its directory does not exist")],
)
def test_a_place_that_cannot_become_a_file_is_refused_early(
    tmp_path: Path, name: str, said: str
) -> None:
    with pytest.raises(FileProblem, match=said):
        check_target(str(tmp_path / name), force=True)


@pytest.mark.parametrize("path", [None, "-"])
def test_standard_output_is_always_there(path: str | None) -> None:
    check_target(path, force=False)


def test_a_replaced_file_keeps_its_mode(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")
    target.chmod(0o640)
    write_file(target, b"new", replace=True)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "file", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_file(link, b"new", replace=True)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_device_is_written_to_and_stays_one() -> None:
    write_output(b"data", os.devnull)
    write_output(b"data", os.devnull, force=True)
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
