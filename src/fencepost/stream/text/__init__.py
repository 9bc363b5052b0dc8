"""The `.fence` text form: a listing, one command a line (grammar: docs/fence-format.md)."""

from fencepost.stream.text.columns import format_text
from fencepost.stream.text.parser import parse_text
from fencepost.stream.text.printer import format_program

__all__ = ["format_program", "format_text", "parse_text"]
