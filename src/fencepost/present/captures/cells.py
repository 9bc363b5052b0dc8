"""The cells of a block of rows, read where they stand: decimals, and columns of a few words.

A kernel (docs/kernels.md): compiled it reads a capture in a fraction of the time that splitting it
takes. As text it would take far longer than that, so `scanning` uses it only where it is compiled.
What is not plain it leaves to the readers of text: they say what is wrong, or take it as it is.
"""

from __future__ import annotations

from array import array

SKIPPED, NUMBER, WORD = 0, 1, 2
"""Kinds of columns."""

WORDS = 16
"""Different words that a column may have in a block."""

NOTHING = -(1 << 63)
"""In place of NA."""

BELOW_ZERO, GIVEN = 1, 2
"""Bits of what was seen in a column: a minus sign, a number."""

NEWLINE, MINUS, POINT, ZERO, NINE, LETTER_N, LETTER_A = 10, 45, 46, 48, 57, 78, 65

LONGEST = 18
"""Digits that fit into 64 bits whatever they are."""


class Cells:
    """Goes through lines that all end with a newline, cell by cell.

    `words` has room for where words begin and end.
    """

    def __init__(self, data: bytes, delimiter: int, words: array[int]) -> None:
        self.data = data
        self.delimiter = delimiter
        self.words = words
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

    def among(self, start: int, first: int, known: int, last: int) -> int:
        """Which of `known` words the cell from `start` to here is, tried from the `last` one on.

        Those of the column begin at `first` in `words`. A new one is put behind them; -1 where
        there is no room.
        """
        index = last
        for _ in range(known):
            at = first + 2 * index
            if self.repeats(self.words[at], self.words[at + 1], start):
                return index
            index = index + 1 if index + 1 < known else 0
        if known == WORDS:
            return -1
        self.words[first + 2 * known] = start
        self.words[first + 2 * known + 1] = self.position
        return known


def scan(
    data: bytes,
    delimiter: int,
    kinds: array[int],
    slots: array[int],
    digits: array[int],
    limits: array[int],
    rows: int,
    out: array[int],
    words: array[int],
    seen: array[int],
) -> bool:
    """Read `rows` lines, each of which ends with a newline; false where they are not plain.

    `kinds` and `slots` have for each column of the file what it is and its place in `out`, where
    `rows` values stand for each place: numbers as `Cells.number` makes them of `digits` and
    `limits`, or which word. `words` gets where the words of a column begin and end, 2 `WORDS` for
    each place; `seen` how many they are, or bits of numbers.
    """
    cells = Cells(data, delimiter, words)
    last = len(kinds) - 1
    for row in range(rows):
        for place in range(last + 1):
            slot = slots[place]
            if kinds[place] == NUMBER:
                if not cells.number(digits[place], limits[place]):
                    return False
                seen[slot] |= cells.seen
                out[slot * rows + row] = cells.value
            else:
                start = cells.position
                cells.word()
                if kinds[place] == WORD:
                    before = out[slot * rows + row - 1] if row > 0 else 0
                    index = cells.among(start, 2 * WORDS * slot, seen[slot], before)
                    if index < 0:
                        return False
                    if index == seen[slot]:
                        seen[slot] += 1
                    out[slot * rows + row] = index
            if not cells.leave(place == last):
                return False
    return cells.position == len(data)
