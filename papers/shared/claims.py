"""Statements of a paper, what was found for each, and the verdict that follows from all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from studies.simulation import markdown

Verdict = Literal["reproduced", "reproduced with the erratum", "not reproduced", "in part"]
REPRODUCED, IN_PART = 0.8, 0.4
MOST = 0.8  # of the settings of a statement
RULE = (
    f"Printed numbers agree if {MOST:.0%} of them are within the tolerance given. A statement on "
    "several settings has to be true in all of them if it says so (always, uniformly, on all), in "
    f"more than half if it says most or often, else in {MOST:.0%}. Conclusions of the paper "
    "are in bold. Verdict by rule: *reproduced* if at least "
    f"{REPRODUCED:.0%} of the statements that can be tested hold, and all conclusions; *not "
    f"reproduced* if fewer than {IN_PART:.0%} hold, or no conclusion; else *in part*; *with the "
    "erratum* if a printed formula or sentence had to be corrected first."
)
WORDS = {True: "holds", False: "does not hold", None: "cannot be tested"}


@dataclass(frozen=True)
class Finding:
    """The last word of a page and the line of the index."""

    verdict: Verdict
    sentence: str


@dataclass(frozen=True)
class Claim:
    """A statement, where it is, what was computed for it, the result, and whether it holds.

    With an `erratum` it holds after a correction that the result or the page gives; a `conclusion`
    is a statement that the abstract or the last section of the paper rests on.
    """

    place: str
    statement: str
    run: str
    result: str
    holds: bool | None
    erratum: bool = False
    conclusion: bool = False

    @property
    def verdict(self) -> str:
        """In words."""
        return WORDS[self.holds] + " with the erratum" * (self.erratum and bool(self.holds))


def every(place: str, statement: str, run: str, found: Iterable[Any], **marks: bool) -> Claim:
    """A statement that holds if it is true in all cases; the result counts them."""
    told = [bool(one) for one in found]
    return Claim(place, statement, run, f"in {sum(told)} of {len(told)}", all(told), **marks)


def in_most(place: str, statement: str, run: str, found: Iterable[Any], **marks: bool) -> Claim:
    """A statement that holds if it is true in four cases of five."""
    one = every(place, statement, run, told := [bool(each) for each in found], **marks)
    return replace(one, holds=sum(told) >= MOST * len(told))


def claims_table(claims: Sequence[Claim]) -> str:
    """All statements, and the rule of the verdict."""
    heads = ("in the paper", "statement", "computed", "result", "verdict")
    rows = [
        (
            one.place,
            f"**{one.statement}**" if one.conclusion else one.statement,
            *(one.run, one.result, one.verdict),
        )
        for one in claims
    ]
    return f"{markdown(heads, rows)}\n\n{tally_of(claims)} {RULE}"


def tally_of(claims: Sequence[Claim]) -> str:
    """How many statements hold."""
    tested = [one.holds for one in claims if one.holds is not None]
    untested = len(claims) - len(tested)
    rest = f"; {untested} cannot be tested" if untested else ""
    ends = [one.holds for one in claims if one.conclusion]
    return (
        f"{sum(tested)} of {len(tested)} tested statements hold{rest}, "
        f"{ends.count(True)} of {len(ends)} conclusions."
    )


def judged(claims: Sequence[Claim], sentence: str) -> Finding:
    """The verdict by the rule, with a sentence on what matters most."""
    tested = [one.holds for one in claims if one.holds is not None]
    ends = [one.holds for one in claims if one.conclusion and one.holds is not None]
    share = sum(tested) / len(tested)
    verdict: Verdict = "in part"
    if share < IN_PART or (ends and not any(ends)):
        verdict = "not reproduced"
    elif share >= REPRODUCED and all(ends):
        erratum = any(one.erratum and one.holds for one in claims)
        verdict = "reproduced with the erratum" if erratum else "reproduced"
    return Finding(verdict, f"{tally_of(claims)} {sentence}")
