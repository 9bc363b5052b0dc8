"""The `.fence` text form: a listing, one command a line (grammar: docs/fence-format.md)."""

from fencepost.stream.text.parser import parse_text

__all__ = ["parse_text"]
