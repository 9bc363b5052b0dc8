"""How fast fencepost is and how much memory it takes. `python -m benchmarks` runs all of it."""
