"""Settings for all tests."""

import os

os.environ.setdefault("MPLBACKEND", "Agg")  # figures are drawn, and no window opens
