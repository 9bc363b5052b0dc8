"""The tables of docs/present-captures.md, made from the tables that the importer walks."""

from __future__ import annotations

from itertools import groupby

from fencepost.present.captures import COLUMNS
from fencepost.present.captures.columns import COLUMN_ROWS, Kind, Means

FAMILIES = {"": "all", "capframex": "CapFrameX JSON", "mangohud": "MangoHud", "presentmon 2": "2.0"}
UNITS = {"?": "told from the intervals", "": ""}


def columns_table() -> str:
    """The normalized columns."""
    head = "| column | unit | what | missing means |\n|---|---|---|---|\n"
    return head + "".join(
        f"| `{it.name}` | {it.unit} | {it.meaning} | {it.missing} |\n" for it in COLUMNS
    )


def names_table() -> str:
    """The names that formats have for them."""
    head = "| becomes | from the columns |\n|---|---|\n"
    rows = groupby(sorted(COLUMN_ROWS, key=_place), key=lambda row: row.quantity)
    return head + "".join(
        f"| `{quantity}` | {', '.join(map(_named, group))} |\n" for quantity, group in rows
    )


def _place(row: Means) -> int:
    return [it.quantity for it in COLUMN_ROWS].index(row.quantity)


def _named(row: Means) -> str:
    unit = UNITS.get(row.unit, row.unit) if row.kind is Kind.CLOCK else ""
    notes = [FAMILIES[row.family] if row.family else "", unit]
    said = "; ".join(note for note in notes if note)
    return f"`{row.name}`" + (f" ({said})" if said else "")
