"""What can be wrong with an input. One class a kind; each is one line and exit code 2."""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.place import Place


class FencepostError(Exception):
    """Unusable input or arguments: where, what is wrong, what was expected."""

    def __init__(self, problem: str, place: Place | None = None, expected: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.place = place
        self.expected = expected

    def __str__(self) -> str:
        where = ""
        if self.place is not None:
            where = str(self.place)
            if self.place.offset is None and self.place.line:
                where += f":{self.place.column}"
            where += ": "
        tail = f"; expected {self.expected}" if self.expected else ""
        return f"{where}{self.problem}{tail}"


class SyntaxProblem(FencepostError):
    """Text or JSON that does not follow its grammar."""


class ProgramProblem(FencepostError):
    """A stream that reads well but names what is not there or does what its queue cannot."""


class QueueProblem(ProgramProblem):
    """A command that its queue cannot run: no synchronization makes that right."""


class PacketProblem(FencepostError):
    """A PM4 stream with an unknown, malformed or truncated packet."""


class TimelineProblem(FencepostError):
    """A trace that reads well but whose slices cannot be: negative, endless, overlapping."""


class FileProblem(FencepostError):
    """A file that cannot be read or must not be written."""


class UsageProblem(FencepostError):
    """Arguments that make no sense together, an unknown machine, rule or format."""


class DeadlockProblem(FencepostError):
    """A stream whose engines wait for each other, or for what nobody does."""


class Problems(FencepostError):
    """Several problems of one input, in the order in which they were found."""

    def __init__(self, problems: Iterable[FencepostError]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __str__(self) -> str:
        return self.problem
