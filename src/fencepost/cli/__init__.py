"""The command line: one module a verb (docs/cli.md)."""
