"""All that is counted."""

from __future__ import annotations

from .clustered_families import CLUSTERED
from .interval_families import INTERVALS, PARTIAL, SMALL, UNEQUAL
from .questions import Family
from .rejection_families import JOINT, MARGINS, ONE, PAIRED, PARTS, UNPAIRED

FAMILIES: tuple[Family, ...] = (
    INTERVALS,
    SMALL,
    UNEQUAL,
    PARTIAL,
    ONE,
    PAIRED,
    PARTS,
    JOINT,
    MARGINS,
    UNPAIRED,
    *CLUSTERED,
)
