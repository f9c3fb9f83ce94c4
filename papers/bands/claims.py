"""The statements of the paper, from the counts of the containment study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from papers.shared.claims import MOST, Claim, every, in_most
from papers.shared.paper import Expected, Records

if TYPE_CHECKING:
    from papers.bands.reproduce import Exits, Plain, Printed, Real, Synthetic

LEVEL = 0.9
CLOSE = 0.05  # of containment, as published and here
REASONABLE = 0.1  # distance from the level; published containments differ from it by up to 0.21
PAPERS_BAND = "fixed-width future"
SJR, FWB, WHB = "joint-regions", "fixed-width", "working-hotelling"
UNBALANCED = "letter-a"


def claims(records: Records, expected: Expected) -> list[Claim]:
    """In the order of the paper."""
    return [
        *of_true_curves(records["true"], records["printed"]),
        *of_new_curves(records["synthetic"], records["plain"], expected),
        of_exits(records["exits"]),
        *of_data_sets([one for one in records["real"] if one.cell == PAPERS_BAND], expected),
    ]


def reasonable(shares: Sequence[float]) -> str:
    """The tolerance of two conclusions, which was set after the results."""
    close = sum(abs(share - LEVEL) <= CLOSE for share in shares)
    return f"within {REASONABLE} of 0.90, set after the results (within {CLOSE}: {close})"


def of_true_curves(true: Sequence[Synthetic], printed: Sequence[Printed]) -> list[Claim]:
    """Section 4, figure 5."""
    shares = {
        kind: np.array([one.share for one in true if one.cell == kind]) for kind in (SJR, FWB, WHB)
    }
    distance = {kind: off(own) for kind, own in shares.items()}
    few = [one for one in true if one.cell == FWB]
    small, large = (
        off(one.share for one in few if (one.size >= 250) == many and one.size != 100)
        for many in (False, True)
    )
    least = min(one.theta for one in few)
    low, high = (
        off(one.share for one in few if one.size >= 1000 and (one.theta == least) == lowest)
        for lowest in (True, False)
    )
    n = len(shares[SJR])
    of_printed = [one.share for one in printed]
    of_part = [one.from_tenth for one in printed]
    from_rates = {
        kind.removeprefix(f"{WHB} from "): off(one.share for one in true if one.cell == kind)
        for kind in dict.fromkeys(one.cell for one in true)
        if kind.startswith(f"{WHB} from")
    }
    tiny = [one.share for one in few if one.size == 25]
    return [
        Claim(
            "section 2.2",
            "for small samples fixed-width bands contain the true curve too rarely",
            f"25 cases, {len(tiny)} populations; below 0.90",
            f"in {sum(share < LEVEL for share in tiny)}, on average {np.mean(tiny):.2f}",
            sum(share < LEVEL for share in tiny) >= MOST * len(tiny),
        ),
        every(
            "figure 5",
            "simultaneous joint regions are universally too wide, but for small samples and θ",
            f"containment of the true curve above 0.90, 90% bands, {n} settings",
            shares[SJR] > LEVEL,
        ),
        Claim(
            "figure 5",
            "Working-Hotelling bands fail completely",
            f"equation (1) as printed, with the variance; 250 cases, {len(of_printed)} populations",
            f"containment {min(of_printed):.2f} to {max(of_printed):.2f}; with the standard error "
            f"in {n} settings {shares[WHB].min():.2f} to {shares[WHB].max():.2f}",
            max(of_printed) < 0.5,
        ),
        Claim(
            "section 4.2",
            "they fail because of small values of FP; from FP > 0 on their containment increases",
            "equation (1) as printed, from FP = 0.1 on",
            f"containment {min(of_part):.2f} to {max(of_part):.2f}",
            min(of_part) > max(of_printed),
        ),
        Claim(
            "section 4.2",
            "from FP > 0 on Working-Hotelling bands never perform as well as fixed-width bands",
            "with the standard error; mean distance from 0.90",
            ", ".join(f"from {rate} {value:.3f}" for rate, value in from_rates.items())
            + f"; fixed-width {distance[FWB]:.3f}",
            min(from_rates.values()) > distance[FWB],
        ),
        Claim(
            "figure 5",
            "fixed-width bands have the best containment",
            "mean distance from 0.90",
            ", ".join(f"{kind} {value:.3f}" for kind, value in distance.items())
            + f" (as printed, 250 cases, {off(of_printed):.3f})",
            distance[FWB] == min(distance.values()),
            conclusion=True,
        ),
        Claim(
            "section 4.2",
            "of fixed-width bands the exceptions are very small samples",
            "mean distance from 0.90, 25 cases and 250 or more",
            f"{small:.3f} and {large:.3f}",
            small > large,
        ),
        Claim(
            "section 4.2",
            "and low AUC with many cases",
            "the same of 1,000 cases and more, θ = 0.75 and larger θ",
            f"{low:.3f} and {high:.3f}",
            low > high,
        ),
    ]


def off(shares: Iterable[float]) -> float:
    """The mean distance of containments from the level of the bands."""
    return float(np.mean([abs(share - LEVEL) for share in shares]))


def of_new_curves(
    future: Sequence[Synthetic], plain: Sequence[Plain], expected: Expected
) -> list[Claim]:
    """Section 5 and Table 3."""
    widened = [one for one in future if one.cell == PAPERS_BAND]
    published: Mapping[str, Sequence[float]] = expected["table"]["3"]
    thetas = sorted({one.theta for one in widened})
    gaps = [abs(one.share - published[str(one.size)][thetas.index(one.theta)]) for one in widened]
    known = [gap for gap, one in zip(gaps, widened, strict=True) if one.size >= 100]
    shares = [one.share for one in widened]
    own = [one.share for one in plain]
    return [
        Claim(
            "section 5",
            "bands for the true curve fail to contain new curves",
            f"fixed-width 90% bands of 250 cases, {len(own)} populations",
            f"containment {min(own):.2f} to {max(own):.2f}",
            max(own) < LEVEL - 0.05,
        ),
        Claim(
            "Table 3",
            "containment of new curves by bands widened by √2",
            f"{len(gaps)} settings; within {CLOSE}",
            f"{sum(gap <= CLOSE for gap in gaps)} of {len(gaps)}; of 100 or more cases "
            f"{sum(gap <= CLOSE for gap in known)} of {len(known)}",
            sum(gap <= CLOSE for gap in gaps) >= MOST * len(gaps),
        ),
        in_most(
            "section 5.1",
            "widened by √2, fixed-width bands contain new curves about as often as their level",
            f"the same settings; {reasonable(shares)}",
            [abs(share - LEVEL) <= REASONABLE for share in shares],
            conclusion=True,
        ),
        Claim(
            "Table 3",
            "these are generally slightly too wide",
            "containment above 0.90",
            f"in {sum(each > LEVEL for each in shares)} of {len(shares)}, on average "
            f"{np.mean(shares):.2f}",
            sum(each > LEVEL for each in shares) > 0.8 * len(shares),
        ),
    ]


def of_exits(found: Sequence[Exits]) -> Claim:
    """Figure 7, in the normal population."""
    outside, middle = (sum(getattr(one, name) for one in found) for name in ("outside", "middle"))
    return Claim(
        "figure 7",
        "fixed-width bands are too wide at the ends: curves leave them in the middle",
        f"where {outside} new curves are farthest outside the widened band, 1,000 cases",
        f"{middle} in the middle half",
        middle >= MOST * outside,
    )


def of_data_sets(real: Sequence[Real], expected: Expected) -> list[Claim]:
    """Section 5.2, Tables 5 and 6."""

    def mean(trained_on: int, model: str = "", size: int = 0) -> float:
        found = [
            one.share
            for one in real
            if one.trained_on == trained_on
            and one.data != UNBALANCED
            and model in ("", one.model)
            and size in (0, one.size)
        ]
        return float(np.mean(found))

    sets = sorted({one.data for one in real})
    models = sorted({one.model for one in real})
    by_model = {name: mean(100, name) for name in models}
    large = {name: mean(2500, name) for name in models}
    cells = [
        (mean(trained_on, "", int(size)), values["average"])
        for trained_on, table in ((100, "5"), (2500, "6"))
        for size, values in expected["table"][table].items()
        if "average" in values
    ]
    favorable = [one.share for one in real if one.data != UNBALANCED]
    found = [
        in_most(
            "Tables 5 and 6",
            "average containment by sample size",
            f"{len(sets)} of 10 data sets ({', '.join(sets)}), {len(models)} of 5 learners, "
            f"without Letter-A as published; within {CLOSE}",
            [abs(here - there) <= CLOSE for here, there in cells],
        ),
        in_most(
            "section 5.2",
            "containments on real data are favorable with the exception of Letter-A",
            f"the data sets, learners and sizes without Letter-A; {reasonable(favorable)}",
            [abs(share - LEVEL) <= REASONABLE for share in favorable],
            conclusion=True,
        ),
        Claim(
            "Table 5",
            "with 100 training cases the average (0.85) is somewhat lower than desired",
            "the same, average",
            f"{mean(100):.2f}",
            0.8 <= mean(100) < LEVEL,
        ),
        Claim(
            "Table 6",
            "with 2,500 training cases the average is larger",
            "the same, average",
            f"{mean(2500):.2f}",
            mean(2500) > mean(100),
        ),
        Claim(
            "section 5.2",
            "with 100 training cases the tree yields poor containment",
            "average by learner",
            ", ".join(f"{name} {value:.2f}" for name, value in by_model.items()),
            by_model["tree"] < min(v for name, v in by_model.items() if name != "tree") - 0.05,
        ),
        Claim(
            "section 5.2",
            "with 2,500 training cases the containment of trees is substantially better",
            "average of the tree",
            f"{by_model['tree']:.2f} and {large['tree']:.2f}",
            large["tree"] > by_model["tree"] + 0.05,
        ),
    ]
    letter = [one.share for one in real if one.data == UNBALANCED]
    if letter:
        found.append(
            Claim(
                "section 5.2",
                "on Letter-A (4% in a class) many cases have containment 0",
                f"{len(letter)} learners and sizes",
                f"{sum(each == 0 for each in letter)} are 0; {min(letter):.2f} to "
                f"{max(letter):.2f}, on average {np.mean(letter):.2f}",
                sum(each == 0 for each in letter) > 0.2 * len(letter),
            )
        )
    found.append(
        Claim(
            "figures 8 and 9",
            "scores of LMT, NBTree and of three further data sets",
            "learners and data sets not at hand; figures not drawn",
            "–",
            None,
        )
    )
    return found
