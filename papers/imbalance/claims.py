"""The statements of the paper, from the counts kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

import rocwise as rw
from papers.shared.claims import MOST, Claim, every, in_most
from papers.shared.paper import Expected, Records

if TYPE_CHECKING:
    from papers.imbalance.reproduce import Segment, Sizes

    Places = dict[tuple[str, str], Segment]

CLOSE = 0.05  # of areas, which learners of another program do not give to the digit
SAME = 0.02  # areas that count as similar
STUMP, TREE, FOREST, BAYES = LETTERS = ("S", "T", "F", "B")


def claims(records: Records, expected: Expected) -> list[Claim]:
    """In the order of the paper."""
    found: Sequence[Segment] = records["segments"]
    by_place = {(one.data, one.letter): one for one in found}
    sets = list(dict.fromkeys(one.data for one in found))
    return [
        of_differences(),
        of_test(),
        of_limits(),
        of_sizes(records["sizes"], expected),
        *of_bands(found),
        *of_areas(by_place, sets, expected),
        *of_segments(by_place, sets),
    ]


def of_differences() -> Claim:
    """Section 2: fewer positive predictions, more misses and fewer false alarms."""
    rng = np.random.default_rng(2005)
    rising = []
    for _ in range(60):
        label = rng.permutation(np.repeat([0, 1], rng.integers(3, 40, 2)))
        segment = rw.confident_segment(label, np.round(rng.normal(label), 1))
        rising.append(bool((np.diff(segment.intervals()[0]) <= 0).all()))  # thresholds fall
    return every(
        "section 2",
        "(b - c)/n does not decrease when the threshold rises",
        "60 random samples",
        rising,
    )


def of_limits() -> Claim:
    """Appendix: intervals of few errors."""
    found = [
        rw.inference.tango_interval(b, c, n)
        for n in (5, 20, 100)
        for b in range(4)
        for c in range(4)
        if b + c <= n
    ]
    proper = [-1 <= one.low < one.high <= 1 for one in found]
    return every(
        "appendix A",
        "the intervals neither collapse nor exceed [-1, 1] for small b and c",
        f"{len(found)} pairs of at most three errors",
        proper,
    )


def of_test() -> Claim:
    """Appendix: Tango's test without a margin is McNemar's."""
    rng = np.random.default_rng(2006)
    same = []
    for _ in range(200):
        n = int(rng.integers(5, 200))
        b, c = sorted(rng.integers(0, n // 2, 2).tolist())
        interval = rw.inference.tango_interval(b, c, n)
        inside = interval.low <= 1e-12 and interval.high >= -1e-12
        same.append(inside == ((b - c) ** 2 <= 1.959963984540054**2 * (b + c)))
    return every(
        "appendix A",
        "Tango's test with a margin of zero is identical to McNemar's",
        "200 random pairs of errors: interval contains 0, McNemar's test does not reject",
        same,
    )


def of_sizes(sizes: Sequence[Sizes], expected: Expected) -> Claim:
    """Table 2."""
    right = [
        [
            *(one.training_positives, one.training_negatives),
            *(one.test_positives, one.test_negatives),
        ]
        == [each or 0 for each in expected["table-2"][one.cell]]
        for one in sizes
    ]
    return in_most(
        "Table 2", "positives and negatives of six data sets", "rows of the files", right
    )


def of_bands(found: Sequence[Segment]) -> Iterator[Claim]:
    """Figure 4 and the sentence on the other data sets."""
    for place, statement, of_dis in (
        ("figure 4", "on dis the bands contain more than half of the square", True),
        ("section 4", "this result is consistent on the other data sets", False),
    ):
        own = [one.band_area for one in found if (one.data == "dis") == of_dis]
        if own:
            wide = sum(each > 0.5 for each in own)
            yield Claim(
                *(place, statement, "fixed-width bands of 95%"),
                f"{min(own):.0%} to {max(own):.0%}, above a half for {wide} of {len(own)}",
                wide >= MOST * len(own),
                conclusion=not of_dis,
            )


def of_areas(by_place: Places, sets: Sequence[str], expected: Expected) -> Iterator[Claim]:
    """Table 3 and figure 5."""
    area = {place: one.area for place, one in by_place.items()}
    best = [max(LETTERS, key=lambda each, d=d: area[d, each]) == FOREST for d in sets]
    yield in_most(
        "Table 3",
        "AUC of four learners on six data sets",
        f"learners of another program; within {CLOSE} counts as equal",
        [abs(own - expected["table-3"][d][each]) <= CLOSE for (d, each), own in area.items()],
    )
    yield every(
        "figure 5",
        "the stump is the same as or better than the tree on all data sets",
        f"AUC; within {SAME} counts as the same",
        [area[d, STUMP] >= area[d, TREE] - SAME for d in sets],
    )
    yield every(
        "figure 5",
        "the forest consistently outperforms naive Bayes",
        "AUC",
        [area[d, FOREST] > area[d, BAYES] for d in sets],
    )
    yield Claim(
        "figure 5",
        "the forest is best on most data sets",
        "AUC",
        f"on {sum(best)} of {len(best)}",
        sum(best) > len(best) / 2,
    )
    if "spect" in sets:
        both = min(area["spect", each] for each in (FOREST, BAYES))
        rest = max(area["spect", each] for each in (STUMP, TREE))
        yield Claim(
            "figure 5",
            "forest and naive Bayes are better than the others on spect",
            "AUC",
            f"at least {both:.3f} against at most {rest:.3f}",
            both > rest,
        )


def of_segments(by_place: Places, sets: Sequence[str]) -> Iterator[Claim]:
    """Figures 6 to 8."""
    points = {place: one.points for place, one in by_place.items()}
    area = {place: one.confident_area for place, one in by_place.items()}
    size = {place: abs(one.difference or 0.0) for place, one in by_place.items()}
    without = [d for d in sets if points[d, STUMP] == 0]
    bayes = [d for d in sets if area[d, BAYES] > area[d, FOREST]]
    apart = [exchanged(by_place, d) for d in sets]
    yield Claim(
        "figure 6",
        "the stump has no confident point on half of the data sets",
        "`confident_segment`",
        f"none on {len(without)} ({', '.join(without) or 'no set'})",
        len(without) >= len(sets) / 2,
    )
    yield in_most(
        "figure 6",
        "the tree certainly outperforms the stump",
        "confident area",
        [area[d, TREE] > area[d, STUMP] for d in sets],
    )
    yield every(
        "figure 6",
        "where the stump has the larger confident area, it has a larger difference in errors",
        "mean difference, without its sign",
        [size[d, STUMP] > size[d, TREE] for d in sets if area[d, STUMP] > area[d, TREE]],
    )
    yield Claim(
        "figure 6",
        "naive Bayes has a larger confident area than the forest on all sets but spect",
        "confident area",
        f"on {', '.join(bayes) or 'no set'}",
        bayes == [d for d in sets if d != "spect"],
    )
    yield Claim(
        "section 5",
        "conclusions contradict those of the AUC",
        "order of forest and naive Bayes by AUC and by confident area",
        f"exchanged on {sum(apart)} of {len(apart)}",
        sum(apart) > len(apart) / 2,
        conclusion=True,
    )
    if "spect" in sets:
        yield Claim(
            "figure 6",
            "the tree has no confident point on spect",
            "`confident_segment`",
            f"{points['spect', TREE]} points",
            points["spect", TREE] == 0,
        )
    if "dis" in sets:
        best = max(LETTERS, key=lambda each: area["dis", each])
        own = {each: points["dis", each] for each in LETTERS}
        yield Claim(
            "figure 6",
            "naive Bayes is best on dis",
            "confident area",
            f"largest for {best}: {area['dis', best]:.3f}",
            best == BAYES,
        )
        yield Claim(
            "figure 7",
            "on dis all but the stump have confident points",
            "`confident_segment`",
            ", ".join(f"{each} {count}" for each, count in own.items()),
            own[STUMP] == 0 < min(own[each] for each in (TREE, FOREST, BAYES)),
        )
        yield Claim(
            "figure 7",
            "the tree has two of them, forest and naive Bayes many more",
            "the same",
            f"{own[TREE]}, {own[FOREST]} and {own[BAYES]}",
            min(own[FOREST], own[BAYES]) > own[TREE] + 2,
        )
        yield from of_dis({each: by_place["dis", each] for each in LETTERS})
    if "spectf" in sets:
        yield from of_spectf({each: by_place["spectf", each] for each in LETTERS})
    yield Claim(
        *("section 5", "the confident segment is more reliable than ROC and AUC"),
        *("no criterion of reliability is given", "–", None),
    )


def of_dis(own: Mapping[str, Segment]) -> Iterator[Claim]:
    """Figure 7 and the corner of figure 5."""
    tpr = [one.last_tpr for one in own.values() if one.last_tpr is not None]
    wide = widths(own)
    yield Claim(
        "figure 5",
        "the confident points of dis are in the bottom left of the square",
        "largest tpr of the confident points",
        ", ".join(f"{each:.2f}" for each in tpr),
        max(tpr) < 0.5,
    )
    yield Claim(
        "figure 7",
        "on dis those of the tree cover a wider range of thresholds (0.1 to 0.65)",
        "widths of the ranges",
        ", ".join(f"{each} {value:.2f}" for each, value in wide.items()),
        wide[TREE] == max(wide.values()),
    )


def widths(own: Mapping[str, Segment]) -> dict[str, float]:
    """From the lowest to the highest confident threshold."""
    return {
        each: (one.highest_threshold or 0.0) - (one.lowest_threshold or 0.0)
        for each, one in own.items()
    }


def of_spectf(own: Mapping[str, Segment]) -> Iterator[Claim]:
    """The sentences on one data set."""
    least = {each: one.absolute_difference for each, one in own.items() if one.points}
    first = min(least, key=lambda each: least[each])
    largest = max(own, key=lambda each: own[each].confident_area)
    area = {each: one.area for each, one in own.items()}
    yield Claim(
        "figure 6",
        "the tree outperforms all others on spectf",
        "confident area, mean absolute difference",
        f"largest area for {largest}; least difference for {first}",
        largest == first == TREE,
    )
    yield Claim(
        "figure 8",
        "on spectf tree and naive Bayes clearly outperform stump and forest",
        "AUC; in Table 3 the forest has the largest there",
        ", ".join(f"{each} {value:.3f}" for each, value in area.items()),
        min(area[TREE], area[BAYES]) > max(area[STUMP], area[FOREST]),
    )
    yield Claim(
        "figure 8",
        "on spectf the tree has the least difference in errors and many confident points",
        "mean absolute difference, number of points",
        f"least for {first}; the tree has {own[TREE].points} points",
        first == TREE and own[TREE].points > 2,
    )
    wide, points = widths(own), {each: one.points for each, one in own.items()}
    yield Claim(
        "figure 8",
        "on spectf tree and naive Bayes have a wider range of thresholds and more points",
        "widths of the ranges, numbers of points",
        ", ".join(f"{each} {wide[each]:.2f} ({points[each]})" for each in own),
        all(min(of[TREE], of[BAYES]) > max(of[STUMP], of[FOREST]) for of in (wide, points)),
    )
    zero = [each for each, one in own.items() if one.least_difference == 0]
    yield Claim(
        "figure 8",
        "on spectf stump and tree have points with no difference in errors, the others come close",
        "learners with as many misses as false alarms at a confident point",
        ", ".join(zero) or "none",
        zero == [STUMP, TREE],
    )


def exchanged(by_place: Places, data: str) -> bool:
    """Whether AUC and confident area put forest and naive Bayes in different order."""
    forest, bayes = by_place[data, FOREST], by_place[data, BAYES]
    by_area = forest.area - bayes.area
    return by_area * (forest.confident_area - bayes.confident_area) < 0
