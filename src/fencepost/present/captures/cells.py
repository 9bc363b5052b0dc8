"""The cells of a block of rows, read where they stand: decimals, and columns that stay the same.

A kernel (docs/kernels.md): compiled it reads a capture in a fraction of the time that splitting it
takes. As text it would take far longer than that, so `scanning` uses it only where it is compiled.
What is not plain it leaves to the readers of text: they say what is wrong, or take it as it is.
"""

from __future__ import annotations

from array import array

SKIPPED, SAME = -1, -2
"""Kinds of columns that are no numbers: passed over, and expected to stay as in the first row."""

NOTHING = -(1 << 63)
"""In place of NA."""

BELOW_ZERO, GIVEN = 1, 2
"""Bits of what was seen in a column: a minus sign, a number."""

NEWLINE, MINUS, POINT, ZERO, NINE, LETTER_N, LETTER_A = 10, 45, 46, 48, 57, 78, 65

LONGEST = 18
"""Digits that fit into 64 bits whatever they are."""


class Cells:
    """Goes through lines that all end with a newline, cell by cell."""

    def __init__(self, data: bytes, delimiter: int) -> None:
        self.data = data
        self.delimiter = delimiter
        self.position = 0
        self.value = 0  # of the number that was read last
        self.seen = 0

    def word(self) -> None:
        """Go to the end of the cell."""
        while self.data[self.position] not in (self.delimiter, NEWLINE):
            self.position += 1

    def repeats(self, begin: int, end: int, start: int) -> bool:
        """Does the cell from `start` to here hold the same bytes as [begin, end)?"""
        if end - begin != self.position - start:
            return False
        at = 0
        while begin + at < end and self.data[begin + at] == self.data[start + at]:
            at += 1
        return begin + at == end

    def number(self, digits: int, limit: int) -> bool:
        """Read NA, or a number times 10 to the power of `digits`, exact and at most `limit`."""
        self.seen = 0
        self.value = NOTHING
        if self.data[self.position] == LETTER_N:
            self.position += 2
            return self.data[self.position - 1] == LETTER_A
        self.seen = GIVEN
        if self.data[self.position] == MINUS:
            self.position += 1
            self.seen = GIVEN + BELOW_ZERO
        left = self.fraction(self.whole(digits))
        while left > 0:
            self.value *= 10
            left -= 1
        if left < 0 or self.value > limit:
            return False
        if self.seen != GIVEN:
            self.value = -self.value
        return True

    def whole(self, digits: int) -> int:
        """Read what stands before the point; `digits` that may follow, or -1 for no such number."""
        start = self.position
        self.value = 0
        while ZERO <= self.data[self.position] <= NINE and self.position - start < LONGEST:
            self.value = 10 * self.value + self.data[self.position] - ZERO
            self.position += 1
        count = self.position - start
        return digits if 0 < count <= LONGEST - digits else -1

    def fraction(self, left: int) -> int:
        """Read the point and what follows; how many of `left` digits are not there, or -1."""
        if left < 0 or self.data[self.position] != POINT:
            return left
        self.position += 1
        start = self.position
        while ZERO <= self.data[self.position] <= NINE:
            if left > 0:
                self.value = 10 * self.value + self.data[self.position] - ZERO
                left -= 1
            elif self.data[self.position] != ZERO:
                return -1
            self.position += 1
        return left if self.position > start else -1

    def leave(self, last: bool) -> bool:
        """Step over what ends the cell; false where something else stands there."""
        ended = self.data[self.position] == (NEWLINE if last else self.delimiter)
        self.position += 1
        return ended


def scan(
    data: bytes,
    delimiter: int,
    kinds: array[int],
    digits: array[int],
    limits: array[int],
    rows: int,
    out: array[int],
    firsts: array[int],
    seen: array[int],
) -> bool:
    """Read `rows` lines, each of which ends with a newline; false where they are not plain.

    `kinds` has for each column of the file one of the kinds above, or its place in `out`, where
    `rows` values stand for each place. `digits` and `limits`: what `Cells.number` takes. `firsts`
    gets where a column that stays the same begins and ends in the first row, `seen` gets bits.
    """
    cells = Cells(data, delimiter)
    last = len(kinds) - 1
    for row in range(rows):
        for place in range(last + 1):
            kind = kinds[place]
            if kind >= 0:
                if not cells.number(digits[place], limits[place]):
                    return False
                seen[kind] |= cells.seen
                out[kind * rows + row] = cells.value
            else:
                start = cells.position
                cells.word()
                if row == 0:
                    firsts[2 * place] = start
                    firsts[2 * place + 1] = cells.position
                elif kind == SAME and not cells.repeats(
                    firsts[2 * place], firsts[2 * place + 1], start
                ):
                    return False
            if not cells.leave(place == last):
                return False
    return cells.position == len(data)
