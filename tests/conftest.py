"""What all tests share: hypothesis profiles."""

from hypothesis import settings

# The same tests on every run, on a machine that may be busy; `make fuzz` looks for new ones.
settings.register_profile("standard", derandomize=True, deadline=None)
settings.register_profile("fuzz", max_examples=20_000, deadline=None, print_blob=True)
settings.load_profile("standard")
