"""A second way to the packets: counts them straight from the text, with nothing of the decoder.

Names come from the opcode table of the reference page.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from tests.capture.data import DATA

ROW = re.compile(r"\| ([0-9A-F/]+) \| ([A-Z0-9_/]+)[^|]*(?=\|)")


def opcode_names() -> dict[int, str]:
    """Number to name, from `hardware.md` 1.2."""
    text = (DATA / "reference" / "hardware.md").read_text(encoding="utf-8")
    table = text.split("### 1.2", 1)[1].split("### 1.3", 1)[0]
    names: dict[int, str] = {}
    for line in table.splitlines():
        cells = [cell.strip().replace("*", "") for cell in line.strip("|").split("|")]
        if len(cells) < 6 or cells[0] in ("Op", "---"):
            continue
        for number, name in zip(cells[::2], cells[1::2], strict=True):
            if "/" not in number and number:
                names[int(number, 16)] = name.split(" ")[0]
    return names | {0x46: "EVENT_WRITE", 0x47: "EVENT_WRITE_EOP", 0x48: "EVENT_WRITE_EOS"}


def dwords_of_hex_stream(path: Path) -> list[list[int]]:
    """The dwords of each buffer in the file."""
    buffers: list[list[int]] = []
    for line in path.read_text(encoding="ascii").splitlines():
        if line.startswith("IB "):
            buffers.append([])
        elif line and line[0] != "#":
            buffers[-1] += [int(line[at : at + 8], 16) for at in range(0, len(line), 9)]
    return buffers


def dwords_of_mesa_dump(path: Path) -> list[list[int]]:
    """The dwords of each stream in the file."""
    text = path.read_text(encoding="utf-8")
    streams = re.findall(r"^-+ GFX begin .*?-+ GFX end", text, re.MULTILINE | re.DOTALL)
    return [
        [int(word, 16) for word in re.findall(r"^[0-9a-f]{8}", s, re.MULTILINE)] for s in streams
    ]


def count(buffers: list[list[int]]) -> Counter[str]:
    """Packets by name."""
    names = opcode_names()
    found: Counter[str] = Counter()
    for words in buffers:
        at = 0
        while at < len(words):
            header = words[at]
            alone = header == 0xFFFF1000
            found[names[header >> 8 & 0xFF]] += 1
            at += 1 if alone else 2 + (header >> 16) % 0x4000
        assert at == len(words)
    return found
