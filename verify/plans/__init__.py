"""Plans against brute force; `python -m verify.plans` compares all of two and three works."""
