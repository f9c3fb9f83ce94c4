"""Odd values that parameters take on purpose, each with the reason.

A line is (pattern of the name, pattern of the parameter, pattern of the value): reason. The
fuzzer's report counts what is not in this list as swallowed.
"""

import re

REASONS: dict[tuple[str, str, str], str] = {
}


def reason_for(name: str, parameter: str, value: str) -> str | None:
    """Why a value is taken, or None if nothing says so."""
    for patterns, reason in REASONS.items():
        matches = map(re.fullmatch, patterns, (name, parameter, value))
        if all(matches):
            return reason
    return None
