"""The statements of the paper, from the counts kept and from random samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import spearmanr

import rocwise as rw
from papers.shared.claims import MOST, Claim, every, in_most
from papers.shared.paper import Expected, Records

if TYPE_CHECKING:
    from papers.abstention.reproduce import Score, Setting, Variant

    Cells = Mapping[tuple[str, str], Score]

NEAR = 0.1  # relative, of volumes
ABRUPT = 0.25  # relative change of a volume from one setting to the next
OPPOSITE = 0.1  # of pairs that two measures of the same aspect would order differently
SAMPLES = 60


def claims(records: Records, expected: Expected) -> list[Claim]:
    """In the order of the paper."""
    variants: Sequence[Variant] = records["variants"]
    cells = {(one.data, one.learner): one for one in records["scores"]}
    return [
        *of_windows(),
        *of_table(cells, variants, expected),
        *of_aspects(cells, expected),
        *of_data_sets(cells),
        *of_variants(cells, variants),
        of_settings(records["settings"]),
    ]


def of_windows() -> list[Claim]:
    """Section 2: normalized costs and Lemma 1, on random samples."""
    rng = np.random.default_rng(2006)
    same, empty, inside = [], [], []
    for _ in range(SAMPLES):
        label = rng.permutation(np.repeat([0, 1], rng.integers(3, 15, 2)))
        tally = rw.tally(label, np.round(rng.normal(label), 1))
        mu, nu = rng.uniform(0.2, 2), rng.uniform(0.05, 0.4)
        up, right, scale = *rng.uniform(-0.05, 0.05, 2).tolist(), rng.uniform(0.5, 3)
        normal = rw.abstain(tally, costs=rw.Costs(fp=mu, fn=1, abstain=nu))
        moved = rw.Costs(
            fp=scale * (mu + right),
            fn=scale * (1 + up),
            tp=scale * up,
            tn=scale * right,
            abstain=(scale * (nu + up), scale * (nu + right)),
        )
        other = rw.abstain(tally, costs=moved)
        same.append((normal.lower, normal.upper) == (other.lower, other.upper))
        beyond = mu / (1 + mu) + rng.uniform(0.001, 0.5)
        window = rw.abstain(tally, costs=rw.Costs(fp=mu, fn=1, abstain=beyond))
        empty.append(window.abstention_rate == 0)
        narrow = rw.abstain(tally, costs=rw.Costs(fp=mu, fn=1, abstain=nu + 0.1))
        inside.append(
            narrow.abstention_rate == 0
            or (normal.lower <= narrow.lower and narrow.upper <= normal.upper)
        )
    return [
        every(
            "section 2",
            "constants added to a row of the costs, and a factor, do not change the window",
            f"{SAMPLES} random samples",
            same,
        ),
        every(
            "section 3",
            "for ν1 < ν2 the optimal window for ν2 lies in that for ν1",
            f"{SAMPLES} random samples, ν2 = ν1 + 0.1",
            inside,
        ),
        every(
            "Lemma 1",
            "if ν > μ/(1 + μ) the optimal window is empty",
            f"{SAMPLES} random samples",
            empty,
        ),
    ]


def published(expected: Expected, place: int) -> dict[tuple[str, str], float]:
    """Accuracy, AUC or volume of every cell of Table 1."""
    return {
        (data, learner): values[place]
        for data, row in expected["table-1"].items()
        for learner, values in row.items()
    }


def within_sets(
    ours: Mapping[tuple[str, str], float], theirs: Mapping[tuple[str, str], float]
) -> float:
    """Mean rank correlation of the learners of one data set."""
    found = []
    for data in dict.fromkeys(data for data, _ in ours):
        places = [place for place in ours if place[0] == data]
        if len(places) > 2:
            pair = [[own[place] for place in places] for own in (ours, theirs)]
            found.append(float(spearmanr(*pair).statistic))
    return float(np.mean(found)) if found else float("nan")


def of_table(cells: Cells, variants: Sequence[Variant], expected: Expected) -> list[Claim]:
    """Table 1."""
    said = [published(expected, place) for place in range(3)]
    volumes = {key: one.volume for key, one in cells.items()}
    near = {key: abs(own / said[2][key] - 1) <= NEAR for key, own in volumes.items()}
    bayes = [value for (_, learner), value in near.items() if learner == "NB"]
    other = [
        abs(one.other_volume / said[2][one.data, one.learner] - 1) <= NEAR
        for one in variants
        if one.learner == "NB"
    ]
    pair = [[own[key] for key in volumes] for own in (volumes, said[2])]
    inside = within_sets(volumes, said[2])
    return [
        in_most(
            "Table 1",
            "accuracy of the learners",
            "scikit-learn's in place of Weka's; within 3 percentage points",
            [abs(100 * one.accuracy - said[0][key]) <= 3 for key, one in cells.items()],
        ),
        in_most(
            "Table 1",
            "AUC of the learners",
            "the same; within 0.03",
            [abs(one.area - said[1][key]) <= 0.03 for key, one in cells.items()],
        ),
        Claim(
            "Table 1",
            "VACC of naive Bayes, nearly the same in both programs",
            f"within {NEAR:.0%}; the class called positive is not printed and chosen to fit",
            f"{sum(bayes)} of {len(bayes)}; with the other class positive {sum(other)}",
            sum(bayes) >= MOST * len(bayes),
        ),
        Claim(
            "Table 1",
            "VACC of all learners",
            f"within {NEAR:.0%}",
            f"{sum(near.values())} of {len(near)}; rank correlation "
            f"{float(spearmanr(*pair).statistic):.2f}, within data sets {inside:.2f}",
            sum(near.values()) >= MOST * len(near),
        ),
        Claim("Table 1", "accuracy, AUC and VACC of PART", "the learner is not at hand", "–", None),
    ]


def of_aspects(cells: Cells, expected: Expected) -> list[Claim]:
    """Section 4: pairs of learners that VACC orders otherwise than accuracy and AUC do."""
    volume = 2
    ours = [
        {key: getattr(one, name) for key, one in cells.items()}
        for name in ("accuracy", "area", "volume")
    ]
    theirs = [published(expected, place) for place in range(3)]
    pairs = [(first, second) for first, second in combinations(cells, 2) if first[0] == second[0]]
    if not pairs:  # the quick version
        return []

    def opposite(values: Sequence[Mapping[tuple[str, str], float]], place: int) -> int:
        return sum(  # a small volume is good
            (values[place][first] - values[place][second])
            * (values[volume][first] - values[volume][second])
            > 0
            for first, second in pairs
        )

    return [
        Claim(
            "section 4",
            f"VACC captures another aspect than {name}",
            f"pairs of learners on a data set in opposite order; at least {OPPOSITE:.0%}",
            f"{opposite(ours, place)} of {len(pairs)} (published: {opposite(theirs, place)})",
            opposite(ours, place) >= OPPOSITE * len(pairs),
            conclusion=True,
        )
        for place, name in enumerate(("accuracy", "AUC"))
    ]


def of_data_sets(cells: Cells) -> Iterator[Claim]:
    """Section 4, the sentences on each data set."""
    by_data: dict[str, dict[str, Score]] = {}
    for (data, learner), one in cells.items():
        by_data.setdefault(data, {})[learner] = one
    for data, own in by_data.items():
        if len(own) == 4 and data in SENTENCES:  # all learners: not in the quick version
            statement, run, check = SENTENCES[data]
            yield Claim("section 4", f"{data}: {statement}", run, *check(own))


Own = dict[str, "Score"]  # the learners of a data set


def listed(own: Own) -> str:
    """Volumes from the smallest on."""
    found = sorted(own.values(), key=lambda one: one.volume)
    return ", ".join(f"{one.learner} {one.volume:.3f}" for one in found)


def of_breast(own: Own) -> tuple[str, bool]:
    """An order."""
    order = sorted(own, key=lambda each: own[each].volume)
    return listed(own), {*order[1:3]} == {"RF", "NB"} and (order[0], order[3]) == ("SVM", "J48")


def of_bupa(own: Own) -> tuple[str, bool]:
    """First and last by three measures."""
    orders = [
        sorted(own, key=lambda each: value(own[each]))
        for value in (lambda one: one.volume, lambda one: -one.accuracy, lambda one: -one.area)
    ]
    first, last = ([order[place] for order in orders] for place in (0, -1))
    told = f"worst {', '.join(last)}; best {', '.join(first)}"
    return told, first == ["RF"] * 3 and last == ["NB"] * 3


def of_gaps(first: str, second: str, alike: int) -> Callable[[Own], tuple[str, bool]]:
    """Two learners that differ in volume and in accuracy or AUC, but not in the other."""

    def check(own: Own) -> tuple[str, bool]:
        one, two = own[first], own[second]
        gaps = abs(one.accuracy - two.accuracy), abs(one.area - two.area)
        volume = abs(one.volume / two.volume - 1)
        apart = gaps[1 - alike] > (0.02, 0.03)[alike] and volume > 0.1
        return f"{gaps[0]:.2f}, {gaps[1]:.2f}, {volume:.0%}", apart and gaps[alike] < 0.02

    return check


def of_haberman(own: Own) -> tuple[str, bool]:
    """Volumes within a tenth."""
    found = [one.volume for one in own.values()]
    return listed(own), max(found) / min(found) < 1.1


def of_vote(own: Own) -> tuple[str, bool]:
    """One volume larger by a quarter than all others."""
    others = max(one.volume for name, one in own.items() if name != "NB")
    return listed(own), own["NB"].volume > 1.25 * others


GAPS = "differences of accuracy and AUC, relative difference of VACC"
SENTENCES: dict[str, tuple[str, str, Callable[[Own], tuple[str, bool]]]] = {
    "breast-w": ("SVM best, then RF and NB, J48 last", "VACC", of_breast),
    "bupa": ("NB worst and RF best by all measures", "VACC, accuracy, AUC", of_bupa),
    "credit-a": (
        "J48 and NB differ in accuracy and VACC, not in AUC",
        GAPS,
        of_gaps("J48", "NB", 1),
    ),
    "diabetes": (
        "RF and SVM differ in AUC and VACC, not in accuracy",
        GAPS,
        of_gaps("RF", "SVM", 0),
    ),
    "haberman": ("the variation is negligible", "VACC", of_haberman),
    "vote": ("NB is dramatically worse than all others", "VACC", of_vote),
}


def of_variants(cells: Cells, variants: Sequence[Variant]) -> list[Claim]:
    """The footnote on equal classes, and figures 3 and 4."""
    own = {(one.data, one.learner): cells[one.data, one.learner].volume for one in variants}
    even = {(one.data, one.learner): one.even_volume for one in variants}
    agreement = within_sets(own, even)
    dependent = sum(one.lower_depends for one in variants)
    beyond = max(one.rate_beyond_half for one in variants)
    above = max(one.above_trivial for one in variants)
    order = []
    if not np.isnan(agreement):
        order.append(
            Claim(
                "footnote 3",
                "equal class probabilities change VACC but not the order of the learners",
                "rank correlation within data sets with VACC at 50:50",
                f"{agreement:.2f}",
                agreement > 1 - 1e-9,
            )
        )
    return [
        *order,
        Claim(
            "figure 3",
            "for ν above 0.5 the window is empty",
            f"largest abstention rate there, {len(variants)} surfaces",
            f"{beyond:.3f}",
            beyond == 0,
        ),
        Claim(
            "figure 3",
            "where abstaining pays, the lower threshold does not depend on μ",
            f"{len(variants)} surfaces on a grid of 41 x 41",
            f"it does on {dependent}",
            dependent == 0,
        ),
        Claim(
            "figure 3",
            "there the upper threshold depends on both ν and μ",
            "the same",
            f"on μ on {sum(one.upper_depends for one in variants)}",
            all(one.upper_depends for one in variants),
        ),
        *of_corners(variants),
        Claim(
            "figure 4 (e)",
            "in two corners trivial classifiers are better than the SVM on bupa",
            "largest cost above that of trivial rules, all surfaces",
            f"{above:.1e}: trivial rules are among the windows, so that they are at most equal",
            above > 1e-9,
        ),
    ]


def of_corners(variants: Sequence[Variant]) -> Iterator[Claim]:
    """Figure 4 (f) and (g)."""
    for one in variants:
        if (one.data, one.learner) == ("bupa", "SVM"):
            yield Claim(
                "figure 4 (f), (g)",
                "SVM on bupa: if μ is small everything is positive, if ν is small undecided",
                "μ = 0.025 and ν = 1, μ = 1 and ν = 0.025; here: at least 95%",
                f"{one.positive:.1%} and {one.undecided:.1%}",
                min(one.positive, one.undecided) >= 0.95,
            )


def of_settings(settings: Sequence[Setting]) -> Claim:
    """The preliminary experiments at the end of section 4."""
    volumes: dict[tuple[str, str], list[float]] = {}
    for one in settings:
        volumes.setdefault((one.data, one.learner), []).append(one.volume)
    steps = {key: max(abs(b / a - 1) for a, b in pairwise(own)) for key, own in volumes.items()}
    largest = max(steps, key=lambda key: steps[key])
    small = sum(step <= ABRUPT for step in steps.values())
    return Claim(
        "section 4",
        "VACC changes gradually, never abruptly, with J48's pruning and the SVM's C",
        f"five values each; from one to the next by at most {ABRUPT:.0%}",
        f"for {small} of {len(steps)}; largest step {steps[largest]:.0%} ({', '.join(largest)})",
        small == len(steps),
    )
