"""Means of the paper's tables from the folds, and its sentences with what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

import rocwise as rw
from papers.shared.claims import MOST, Claim, every, in_most
from papers.shared.paper import Expected, Records
from papers.thresholds.copies import CONFIGURATIONS, SKEWS

KINDS = ("balanced", "majority", "minority")
COST_AWARE = tuple(name for name in CONFIGURATIONS if not name.startswith("Mim0"))
SAMPLES = 200
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Fold:
    """One model in one fold: cost of a tenth of the rows by skew, accuracy, AUC (mean of skews)."""

    cell: str
    data: str
    kind: str
    oracle: str
    fold: int
    model: str
    cost_1: float
    cost_2: float
    cost_3: float
    cost_5: float
    cost_10: float
    accuracy: float
    area: float
    as_they_came: bool

    @property
    def costs(self) -> list[float]:
        """By skew."""
        return [getattr(self, f"cost_{skew}") for skew in SKEWS]


OVERSAMPLING = "relabeling (scheme 2) is cheaper than oversampling (scheme 3)"
LABELING = "scheme 2 is cheaper than scheme 1"
RANK = "the rank is cheaper than the other two thresholds"
KINDS_OF_ROWS = "rows of types a and b are better than c"


@dataclass(frozen=True)
class Sentence:
    """A sentence on the tables, the numbers published there, and those found here."""

    words: str
    published: str
    here: str
    holds: bool
    conclusion: bool = False

    @property
    def claim(self) -> Claim:
        """As a row of the table of statements."""
        result = f"{self.here} (published: {self.published})"
        return Claim(
            *("section 4.2", self.words, "Tables 2 to 4", result, self.holds),
            conclusion=self.conclusion,
        )


class Means:
    """Means over data sets and oracles, each of which counts the same, with standard errors."""

    def __init__(self, folds: Sequence[Fold]) -> None:
        self.folds = folds
        self.values: dict[str, dict[tuple[str, str], list[Fold]]] = {}
        for one in folds:
            cells = self.values.setdefault(one.model, {})
            cells.setdefault((one.kind, f"{one.data}, {one.oracle}"), []).append(one)

    def costs(self, model: str, kind: str | None = None) -> Floats:
        """Mean cost by skew."""
        return self._mean(model, kind, lambda one: one.costs)

    def cost(self, model: str, kind: str | None = None) -> float:
        """Mean cost over the skews."""
        return float(self.costs(model, kind).mean())

    def accuracy(self, model: str, kind: str | None = None) -> float:
        """In per cent."""
        return 100 * float(self._mean(model, kind, lambda one: one.accuracy))

    def area(self, model: str, kind: str | None = None) -> float:
        """Mean AUC."""
        return float(self._mean(model, kind, lambda one: one.area))

    def error(self, model: str, other: str | None = None) -> float:
        """Standard error of the cost, or of its difference from another model's, over folds."""
        variances = []
        for key, folds in self.values[model].items():
            cost = np.array([np.mean(one.costs) for one in folds])
            if other:
                cost = cost - [np.mean(one.costs) for one in self.values[other][key]]
            variances.append(cost.var(ddof=1) / len(cost))
        return float(np.sqrt(np.sum(variances)) / len(variances))

    def by_cell(self, model: str, skew: int) -> Floats:
        """Cost of each data set with each oracle."""
        place = SKEWS.index(skew)
        cells = self.values[model].values()
        return np.array([np.mean([one.costs[place] for one in folds]) for folds in cells])

    def _mean(self, model: str, kind: str | None, value: Any) -> Any:
        cells = [
            np.mean([value(one) for one in folds], axis=0)
            for (of, _), folds in self.values[model].items()
            if kind in (None, of)
        ]
        return np.mean(cells, axis=0)


def cheapest(costs: dict[str, float], count: int = 2) -> list[str]:
    """Names with the least costs."""
    return sorted(costs, key=lambda name: costs[name])[:count]


def how_many(wins: Iterable[Any]) -> tuple[int, int]:
    """True ones, and all."""
    found = [bool(one) for one in wins]
    return sum(found), len(found)


def claims(records: Records, expected: Expected) -> list[Claim]:
    """In the order of the paper."""
    means = Means(records["folds"])
    return [
        *of_thresholds(),
        *(one.claim for one in sentences(means, expected)),
        *of_models(means, expected),
    ]


def of_thresholds() -> list[Claim]:
    """Equation (5) and both propositions, on random probabilities and on uniform ones."""
    rng = np.random.default_rng(2006)
    corrected = printed = 0
    for _ in range(SAMPLES):
        p0, skew = rng.random(20) ** rng.uniform(0.5, 2), rng.uniform(0.2, 5)
        ratio = p0.sum() / (len(p0) - p0.sum())
        direct = skew / (1 + skew)
        ours = 1 - rw.threshold_without_labels(1 - p0, costs=rw.Costs(1, skew), method="nroc")
        corrected += (ours > direct) == (ratio > 1)
        printed += (1 / (1 + ratio / skew) > direct) == (ratio > 1)
    apart = []
    for n, skew in product((5, 11, 40), (0.5, 1, 3)):
        p1 = np.arange(n) / (n - 1)
        found = [
            rw.threshold_without_labels(p1, costs=rw.Costs(1, skew), method=method)
            for method in ("direct", "rank", "nroc")
        ]
        apart.append(max(found) - min(found))
    return [
        Claim(
            "Proposition 2",
            "the ROC threshold is above the direct one if and only if Sum0/Sum1 > 1",
            f"{SAMPLES} sets of random probabilities",
            f"with (5) as printed in {printed}, with its last fraction inverted in {corrected}",
            corrected == SAMPLES,
            erratum=printed < SAMPLES,
        ),
        Claim(
            "Proposition 3",
            "for uniform probabilities the three thresholds coincide",
            f"{len(apart)} sizes and skews",
            f"largest difference {max(apart):.0e}",
            max(apart) < 1e-9,
        ),
        of_calibrated(rng),
    ]


def of_calibrated(rng: np.random.Generator) -> Claim:
    """Section 5: expected costs where every probability is that of its case."""
    more = []
    for _ in range(SAMPLES):
        p1, costs = rng.random(50) ** rng.uniform(0.5, 2), rw.Costs(1, rng.uniform(0.2, 5))
        direct, by_roc = (
            np.where(p1 >= t, (1 - p1) * costs.fp, p1 * costs.fn).mean()
            for t in (
                rw.threshold_without_labels(p1, costs=costs, method=method)
                for method in ("direct", "nroc")
            )
        )
        more.append(max(float(by_roc / direct - 1), 0.0))
    return Claim(
        "section 5",
        "the ROC threshold is optimal if the probabilities are well calibrated",
        f"{SAMPLES} sets of random probabilities that are right; expected cost",
        f"above that of the direct threshold, which is optimal by (1), in {how_many(more)[0]}, by "
        f"up to {max(more):.0%}",
        max(more) < 1e-9,
    )


def of_models(means: Means, expected: Expected) -> list[Claim]:
    """Numbers of the tables, the order of the 22 models, and the compromise of cost and AUC."""
    published = expected["table-2"]
    theirs = [published[name][5] for name in CONFIGURATIONS]
    ours = [means.cost(name) for name in CONFIGURATIONS]
    order = float(spearmanr(theirs, ours).statistic)
    places = list(product(CONFIGURATIONS, enumerate(KINDS)))
    accuracies = [
        abs(means.accuracy(name, kind) - expected["table-3"][name][2 * place])
        for name, (place, kind) in places
    ]
    costs = [
        means.cost(name, kind) / expected["table-3"][name][2 * place + 1] - 1
        for name, (place, kind) in places
    ]
    areas = [
        abs(means.area(name, kind) - expected["table-4"][name][place])
        for name, (place, kind) in places
    ]
    lost = {
        kind: np.mean(
            [means.accuracy("Oracle", kind) - means.accuracy(name, kind) for name in COST_AWARE]
        )
        for kind in KINDS
    }
    spreads, theirs_spread = (
        [max(values) / min(values) for values in zip(*costs_of, strict=True)]
        for costs_of in (
            [means.costs(name) for name in CONFIGURATIONS],
            [published[name][:5] for name in CONFIGURATIONS],
        )
    )
    cost, area = means.cost("Mim2ROCa"), means.area("Mim2ROCa")
    dominating = [
        name for name in CONFIGURATIONS if means.cost(name) < cost and means.area(name) > area
    ]
    run = "smaller training sets and fewer invented rows; within"
    return [
        in_most(
            "Table 2",
            "mean costs of the 22 models",
            f"{run} 10%",
            [abs(own / said - 1) <= 0.1 for own, said in zip(ours, theirs, strict=True)],
        ),
        Claim(
            "section 5",
            "Mim2Ordb has the least cost",
            "mean over the skews",
            f"least for {min(CONFIGURATIONS, key=means.cost)}",
            min(CONFIGURATIONS, key=means.cost) == "Mim2Ordb",
            conclusion=True,
        ),
        Claim(
            "Table 2",
            "order of the 22 models by mean cost",
            "rank correlation",
            f"{order:.2f}",
            order > 0.9,
        ),
        Claim(
            "section 4.2",
            "at skew 1 the costs of all models are similar; they differ more as the skew rises",
            "largest cost divided by the smallest, by skew",
            f"{listed(spreads)} (published: {listed(theirs_spread)})",
            spreads == sorted(spreads),
        ),
        in_most("Table 3", "costs", f"{run} 10%", [abs(each) <= 0.1 for each in costs]),
        in_most("Table 3", "accuracies", f"{run} 2 points", [each <= 2 for each in accuracies]),
        every(
            "Table 3",
            "the accuracy of a copy is always below that of the oracle",
            f"{len(CONFIGURATIONS)} models, three kinds of experiments",
            [
                means.accuracy(name, kind) < means.accuracy("Oracle", kind)
                for name, (_, kind) in places
            ],
        ),
        Claim(
            "Table 3",
            "accuracy is affected most where class 1 is the minority",
            "accuracy of the oracle less that of copies that know the costs, mean in points",
            ", ".join(f"{kind} {value:.1f}" for kind, value in lost.items()),
            max(lost, key=lambda kind: lost[kind]) == "minority",
        ),
        *of_kinds(means),
        in_most("Table 4", "AUCs", f"{run} 0.02", [each <= 0.02 for each in areas]),
        Claim(
            "Table 4",
            "Mim2ROCa is a good compromise of cost and AUC",
            "models with smaller cost and larger AUC",
            ", ".join(dominating) or "none",
            not dominating,
        ),
    ]


def of_kinds(means: Means) -> list[Claim]:
    """Sentences on balanced classes, and on class 1 as the majority and the minority."""
    cheap = {kind: cheapest({n: means.cost(n, kind) for n in CONFIGURATIONS})[0] for kind in KINDS}
    added = {
        kind: float(np.mean([means.cost(n, kind) - means.cost("Oracle", kind) for n in COST_AWARE]))
        for kind in KINDS
    }
    rare = [means.cost(name, "minority") for name in ("Mim3", "Mim2Ordb", "Mim1Dira")]
    scheme_1 = [name for name in CONFIGURATIONS if name.startswith("Mim1")]
    rest = [name for name in CONFIGURATIONS if name not in scheme_1]
    gain = {
        kind: float(np.subtract(*(np.mean([means.area(n, kind) for n in group]) for group in both)))
        for both in [(scheme_1, rest)]
        for kind in KINDS
    }
    gaps = [
        abs(means.cost(f"{name[:-1]}b") / means.cost(name) - 1)
        for name in COST_AWARE
        if name.endswith("a")
    ]
    return [
        Claim(
            "Table 3",
            "the same models have the least cost as in Table 2 (Mim2Ordb, Mim2Dira, Mim2Dirb)",
            "least mean cost",
            ", ".join(f"{kind} {name}" for kind, name in cheap.items()),
            set(cheap.values()) <= {"Mim2Ordb", "Mim2Dira", "Mim2Dirb"},
        ),
        Claim(
            "Table 3",
            "the cost rises most above the oracle's where class 1 is the majority",
            "cost less that of the oracle, mean of the models that know the costs",
            ", ".join(f"{kind} {value:+.1f}" for kind, value in added.items()),
            max(added, key=lambda kind: added[kind]) == "majority" and added["majority"] > 0,
        ),
        Claim(
            "Table 3",
            "where class 1 is the minority, Mim2Ordb is much cheaper than Mim3, Mim1Dira is not",
            "mean cost of Mim3, Mim2Ordb, Mim1Dira",
            listed(rare),
            rare[1] < 0.9 * rare[0] and rare[2] > 0.9 * rare[0],
        ),
        Claim(
            "section 5",
            "costs with rows of types a and b do not differ much",
            "relative difference, six models",
            f"at most {max(gaps):.0%}",
            max(gaps) <= 0.1,
        ),
        Claim(
            "Table 4",
            "scheme 1 gains more AUC over the others where classes are not balanced",
            "difference of mean AUCs",
            ", ".join(f"{kind} {value:.3f}" for kind, value in gain.items()),
            min(gain["majority"], gain["minority"]) > gain["balanced"],
        ),
    ]


def listed(values: Iterable[float]) -> str:
    """Numbers with one digit."""
    return ", ".join(f"{value:.1f}" for value in values)


def sentences(means: Means, expected: Expected) -> list[Sentence]:
    """The sentences of section 4.2 and of the conclusions on groups of models."""
    published = expected["table-2"]
    found = []
    for place, skew in enumerate(SKEWS):
        ours = {name: float(means.costs(name)[place]) for name in CONFIGURATIONS}
        theirs = {name: published[name][place] for name in CONFIGURATIONS}
        wanted = ("Mim2Ordb",) if skew > 2 else ("Mim2Dira", "Mim2Dirb")
        order = cheapest(ours)
        place_of_theirs = 1 + cheapest(ours, 22).index(cheapest(theirs)[0])
        here = f"{', '.join(order)}; theirs is number {place_of_theirs}"
        words = f"skew {skew}: {' or '.join(wanted)} is cheapest"
        holds = min(ours[name] for name in wanted) == ours[order[0]]  # equals count, as at skew 1
        found.append(Sentence(words, ", ".join(cheapest(theirs)), here, holds))
    found.append(runner_up(means, published))
    return [*found, *comparisons(means, expected)]


def runner_up(means: Means, published: Any) -> Sentence:
    """The second place from skew 3 on."""
    here, there = (
        [cheapest({name: cost(name)[place] for name in CONFIGURATIONS})[1] for place in (2, 3, 4)]
        for cost in (means.costs, published.get)
    )
    words = "for skews above 2, Mim2Ordb is followed by Mim2Orda"
    return Sentence(words, ", ".join(there), ", ".join(here), here == ["Mim2Orda"] * 3)


def comparisons(means: Means, expected: Expected) -> list[Sentence]:
    """Sentences on groups of models."""
    published = expected["table-2"]
    ours = {name: float(means.costs(name)[-1]) for name in CONFIGURATIONS}
    total = {name: means.cost(name) for name in CONFIGURATIONS}

    def won(pairs: Sequence[tuple[str, str]], cost: dict[str, float]) -> tuple[int, int]:
        return how_many(cost[first] < cost[second] for first, second in pairs)

    kinds = {name: "b" if name == "Mim3" else name[-1] for name in CONFIGURATIONS}
    aware = [(name, f"Mim0{kinds[name]}") for name in COST_AWARE]
    relabeled = [(name, "Mim3") for name in CONFIGURATIONS if name.startswith("Mim2")]
    rows = [(name, f"{name[:-1]}c") for name in COST_AWARE if name[-1] in "ab"]
    ranks = [
        (name, f"{name[:4]}{other}{name[-1]}")
        for name in CONFIGURATIONS
        if "Ord" in name
        for other in ("Dir", "ROC")
    ]
    schemes = [(name, name.replace("Mim2", "Mim1")) for name, _ in relabeled]
    area = {name: -means.area(name) for name in CONFIGURATIONS}
    areas = [(second, first) for first, second in schemes]
    lasts = {name: published[name][4] for name in CONFIGURATIONS}
    sums = {name: published[name][5] for name in CONFIGURATIONS}
    theirs = {name: -float(np.mean(values)) for name, values in expected["table-4"].items()}
    asked = (
        ("at skew 10 all that know the costs are cheaper than scheme 0", aware, ours, lasts),
        (OVERSAMPLING, relabeled, total, sums),
        (LABELING, schemes, total, sums),
        (RANK, ranks, total, sums),
        (KINDS_OF_ROWS, rows, total, sums),
        ("scheme 1 has larger AUC than scheme 2", areas, area, theirs),
    )
    found = []
    for words, pairs, here, there in asked:
        (wins, count), (won_there, _) = won(pairs, here), won(pairs, there)
        told = f"{wins} of {count}"
        found.append(
            Sentence(
                *(words, f"{won_there} of {count}", told, wins >= MOST * count),
                conclusion=words in (OVERSAMPLING, LABELING, RANK, KINDS_OF_ROWS),
            )
        )
    return found
