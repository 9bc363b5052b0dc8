"""Programs: resources and queues of commands, in three forms (text, JSON Lines, Python)."""
