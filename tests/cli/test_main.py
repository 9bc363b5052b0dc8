from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import fencepost.cli.explain
import fencepost.cli.main
from fencepost._version import __version__
from fencepost.cli.main import VERBS
from tests.cli.run import HAZARD, raising, run, write
from tests.project.repository import ROOT


def python(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, *words], capture_output=True, check=False, cwd=ROOT)


def test_the_version_is_printed() -> None:
    result = run("--version")
    assert (result.code, result.out.splitlines()[0], result.err) == (
        0,
        f"fencepost {__version__}",
        "",
    )


@pytest.mark.parametrize("missing", [(), ("fencepost.present.recurrence",)])
def test_the_version_says_where_kernels_are_slow(
    missing: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fencepost.cli.main, "missing", lambda: missing)
    said = run("--version").out.splitlines()[1:]
    assert [line.split(",")[0] for line in said] == ["kernels are interpreted"] * len(missing)


@pytest.mark.parametrize("word", ["-h", "--help", "help"])
def test_help_names_every_verb_and_gives_examples_first(word: str) -> None:
    result = run(word)
    assert result.code == 0
    assert [verb for verb in VERBS if f"\n  {verb} " not in result.out] == []
    assert result.out.index("examples:") < result.out.index("usage:")


def test_no_arguments_show_the_help_and_are_unusable() -> None:
    assert run().code == 2
    assert run().out == run("--help").out


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_examples_first(verb: str) -> None:
    result = run(verb, "--help")
    assert (result.code, result.err) == (0, "")
    assert result.out.index("examples:") < result.out.index("usage:")
    assert result.out.count(f"  fencepost {verb}") >= 2


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("chek", "no verb 'chek' (did you mean 'check'?); expected check, plan, fix, explain"),
        ("qwerty", "no verb 'qwerty'; expected check, plan, fix, explain"),
        ("--verbose", "no option '--verbose'; expected check"),
        ("", "no verb ''"),
    ],
)
def test_an_unknown_verb_is_one_line(word: str, said: str) -> None:
    result = run(word)
    assert (result.code, result.out) == (2, "")
    (complaint,) = result.complaints
    assert said in complaint


@pytest.mark.parametrize("verb", VERBS)
def test_an_unknown_option_is_one_line(verb: str) -> None:
    result = run(verb, "--no-such-option", "x", "y")
    assert (result.code, result.out) == (2, "")
    (complaint,) = result.complaints
    assert complaint.endswith(f"expected what `fencepost {verb} --help` shows")


def test_an_interruption_ends_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fencepost.cli.explain, "run", raising(KeyboardInterrupt()))
    result = run("explain")
    assert (result.code, result.err) == (130, "fencepost: interrupted\n")


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(28, "No space left on device")
    monkeypatch.setattr(fencepost.cli.explain, "run", raising(full))
    result = run("explain")
    assert (result.code, result.complaints) == (2, ["input or output: No space left on device"])


def test_a_fault_of_our_own_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fencepost.cli.explain, "run", raising(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        run("explain")


@pytest.mark.parametrize(
    "words",
    [
        ("--version",),
        ("--help",),
        ("check", "--help"),
        ("explain", "--markdown"),
        ("check", "{file}", "--format", "json"),
    ],
)
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, words: tuple[str, ...]) -> None:
    file = str(write(tmp_path / "a.fence", HAZARD))
    command = [sys.executable, "-m", "fencepost", *(word.format(file=file) for word in words)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
        code = process.wait()
    assert said == b""
    assert code == (1 if words[0] == "check" and "{file}" in words else 0)


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src")}


HEAVY = ("argparse", "msgspec", "fencepost.coherence", "fencepost.stream", "fencepost.machine")


@pytest.mark.parametrize("words", [["--version"], ["--help"]])
def test_a_start_imports_little(words: list[str]) -> None:
    code = (
        "import sys; sys.path.insert(0, 'src'); from fencepost.cli.main import main; "
        f"main({words!r}); print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    assert python("-c", code).stdout.splitlines()[-1] == b"[]"


def test_a_check_of_text_imports_neither_json_nor_captures(tmp_path: Path) -> None:
    file = str(write(tmp_path / "a.fence", HAZARD))
    unused = ("msgspec", "fencepost.report.sarif", "fencepost.capture.pm4")
    code = (
        "import sys; sys.path.insert(0, 'src'); from fencepost.cli.main import main; "
        f"main(['check', {file!r}]); print(sorted(set({unused!r}) & set(sys.modules)))"
    )
    assert python("-c", code).stdout.splitlines()[-1] == b"[]"


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fencepost", "--version"],
        capture_output=True,
        check=True,
        env=environment(),
    )
    assert done.stdout.decode().splitlines()[0] == f"fencepost {__version__}"
