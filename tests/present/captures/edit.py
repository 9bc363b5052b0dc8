"""Changes to what the recorder wrote."""

from __future__ import annotations


def _titles(line: str) -> list[str]:
    return [title.lower() for title in line.split(",")]


def put(data: bytes, title: str, row: int, value: str) -> bytes:
    """Another value in a column; the first row below the header is 1."""
    lines = data.decode().splitlines()
    fields = lines[row].split(",")
    fields[_titles(lines[0]).index(title.lower())] = value
    lines[row] = ",".join(fields)
    return _joined(lines)


def fill(data: bytes, title: str, value: str) -> bytes:
    """The same value in all rows of a column."""
    for row in range(1, len(data.decode().splitlines())):
        data = put(data, title, row, value)
    return data


def without(data: bytes, *titles: str) -> bytes:
    """Without some columns."""
    lines = data.decode().splitlines()
    gone = {title.lower() for title in titles}
    keep = [at for at, title in enumerate(_titles(lines[0])) if title not in gone]
    return _joined([",".join(line.split(",")[at] for at in keep) for line in lines])


def with_column(data: bytes, title: str, value: str) -> bytes:
    """With one column more at the end."""
    first, *rest = data.decode().splitlines()
    return _joined([f"{first},{title}", *(f"{line},{value}" for line in rest)])


def _joined(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
