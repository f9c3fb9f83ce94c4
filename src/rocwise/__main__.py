"""``python -m rocwise`` is the command line."""

import sys

from rocwise.cli import main

if __name__ == "__main__":
    sys.exit(main())
