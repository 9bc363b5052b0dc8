"""The suppressions of a program, by the commands that they are about."""

from __future__ import annotations

from fencepost.errors import ProgramProblem
from fencepost.place import Place
from fencepost.stream.program import Suppression


class Accepted:
    """Looks suppressions up by place, and knows which have been found."""

    def __init__(self, suppressions: tuple[Suppression, ...]) -> None:
        self.everywhere = [row for row in suppressions if not row.line]
        self._at: dict[tuple[str, int], list[Suppression]] = {}
        for row in suppressions:
            if row.line:
                self._at.setdefault((row.file, row.line), []).append(row)
        self._used: set[Suppression] = set()

    def at(self, place: Place) -> list[Suppression]:
        """Those of the command at that place."""
        rows = self._at.get((place.file, place.line), ())
        found = [row for row in rows if row.offset in (None, place.offset)]
        self._used.update(found)
        return found

    def finish(self) -> None:
        """Raises `ProgramProblem` for one that stands at no command."""
        for rows in self._at.values():
            for row in rows:
                if row not in self._used:
                    problem = f"'{row.rule}' is accepted where no command is"
                    raise ProgramProblem(problem, row.place, "the line of a command")
