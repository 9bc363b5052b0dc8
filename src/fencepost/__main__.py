"""`python -m fencepost`: the command line without an installed script."""

import sys

from fencepost.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
