"""Statements of a paper, what was found for each, and the verdict that follows from all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from papers.shared.pages import markdown
from papers.shared.paper import Finding, Verdict

REPRODUCED, IN_PART = 0.8, 0.4
RULE = (
    f"Verdict by rule: *reproduced* if at least {REPRODUCED:.0%} of the statements that can be "
    f"tested hold, *in part* from {IN_PART:.0%}, else *not reproduced*; *with the erratum* if "
    "a printed formula or sentence had to be corrected first."
)
WORDS = {True: "holds", False: "does not hold", None: "cannot be tested"}


@dataclass(frozen=True)
class Claim:
    """A statement, where it is, what was computed for it, the result, and whether it holds.

    With an `erratum` it holds after a correction that the result or the page gives.
    """

    place: str
    statement: str
    run: str
    result: str
    holds: bool | None
    erratum: bool = False

    @property
    def verdict(self) -> str:
        """In words."""
        return WORDS[self.holds] + " with the erratum" * (self.erratum and bool(self.holds))


def claims_table(claims: Sequence[Claim]) -> str:
    """All statements, and the rule of the verdict."""
    heads = ("in the paper", "statement", "computed", "result", "verdict")
    rows = [(one.place, one.statement, one.run, one.result, one.verdict) for one in claims]
    return f"{markdown(heads, rows)}\n\n{tally_of(claims)} {RULE}"


def tally_of(claims: Sequence[Claim]) -> str:
    """How many statements hold."""
    tested = [one.holds for one in claims if one.holds is not None]
    untested = len(claims) - len(tested)
    rest = f"; {untested} cannot be tested" if untested else ""
    return f"{sum(tested)} of {len(tested)} tested statements hold{rest}."


def judged(claims: Sequence[Claim], sentence: str) -> Finding:
    """The verdict by the rule, with a sentence on what matters most."""
    tested = [one.holds for one in claims if one.holds is not None]
    share = sum(tested) / len(tested)
    verdict: Verdict = "not reproduced"
    if share >= REPRODUCED:
        erratum = any(one.erratum and one.holds for one in claims)
        verdict = "reproduced with the erratum" if erratum else "reproduced"
    elif share >= IN_PART:
        verdict = "in part"
    return Finding(verdict, f"{tally_of(claims)} {sentence}")
