"""Reports of a check: text for people, JSON and SARIF 2.1.0 for tools (design 6)."""
