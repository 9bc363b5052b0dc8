"""The replay over integers: a program as columns, the machine's rows as tables, one walk."""
