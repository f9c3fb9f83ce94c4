"""The statements of the paper, from the counts kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

import rocwise as rw
from papers.shared.claims import Claim, every
from papers.shared.paper import Expected, Records

if TYPE_CHECKING:
    from papers.imbalance.reproduce import Segment, Sizes

    Places = dict[tuple[str, str], Segment]

CLOSE = 0.05  # of areas, which learners of another program do not give to the digit
SAME = 0.02  # areas that count as similar
STUMP, TREE, FOREST, BAYES = "S", "T", "F", "B"


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
    return Claim(
        "Table 2",
        "positives and negatives of six data sets",
        "rows of the files",
        f"{sum(right)} of {len(right)} sets agree (sick has other counts in its file)",
        all(right),
    )


def of_bands(found: Sequence[Segment]) -> list[Claim]:
    """Figure 4 and the sentence on the other data sets."""
    dis = [one.band_area for one in found if one.data == "dis"]
    others = [one.band_area for one in found if one.data != "dis"]
    claims = []
    if dis:
        claims.append(
            Claim(
                "figure 4",
                "on dis the bands contain more than half of the square",
                "fixed-width bands of 95%",
                f"{min(dis):.0%} to {max(dis):.0%}, above a half for "
                f"{sum(each > 0.5 for each in dis)} of {len(dis)}",
                min(dis) > 0.5,
            )
        )
    wide = sum(each > 0.5 for each in others)
    return [
        *claims,
        Claim(
            "section 4",
            "this result is consistent on the other data sets",
            "fixed-width bands of 95%",
            f"{min(others):.0%} to {max(others):.0%}, above a half for {wide} of {len(others)}",
            wide > len(others) / 2,
            conclusion=True,
        ),
    ]


def of_areas(by_place: Places, sets: Sequence[str], expected: Expected) -> list[Claim]:
    """Table 3 and figure 5."""
    near = sum(
        abs(one.area - expected["table-3"][data][letter]) <= CLOSE
        for (data, letter), one in by_place.items()
    )

    def area(letter: str) -> Callable[[str], float]:
        return lambda data: by_place[data, letter].area

    stump = [area(STUMP)(d) >= area(TREE)(d) - SAME for d in sets]
    forest = [area(FOREST)(d) > area(BAYES)(d) for d in sets]
    best = [area(FOREST)(d) >= max(area(each)(d) for each in (STUMP, TREE, BAYES)) for d in sets]
    n = len(sets)
    claims = [
        Claim(
            "Table 3",
            "AUC of four learners on six data sets",
            f"learners of another program; within {CLOSE} counts as equal",
            f"{near} of {len(by_place)}",
            near >= 0.8 * len(by_place),
        ),
        Claim(
            "figure 5",
            "the stump is the same as or better than the tree on all data sets",
            f"AUC; within {SAME} counts as the same",
            f"on {sum(stump)} of {n}",
            all(stump),
        ),
        Claim(
            "figure 5",
            "the forest consistently outperforms naive Bayes",
            "AUC",
            f"on {sum(forest)} of {n}",
            all(forest),
        ),
        Claim(
            "figure 5",
            "the forest is best on most data sets",
            "AUC",
            f"on {sum(best)} of {n}",
            sum(best) > n / 2,
        ),
    ]
    if "spect" in sets:
        both = min(area(FOREST)("spect"), area(BAYES)("spect"))
        rest = max(area(STUMP)("spect"), area(TREE)("spect"))
        claims.append(
            Claim(
                "figure 5",
                "forest and naive Bayes are better than the others on spect",
                "AUC",
                f"at least {both:.3f} against at most {rest:.3f}",
                both > rest,
            )
        )
    return claims


def of_segments(by_place: Places, sets: Sequence[str]) -> list[Claim]:
    """Figures 6 to 8."""

    def points(data: str, letter: str) -> int:
        return by_place[data, letter].points

    def confident(data: str, letter: str) -> float:
        return by_place[data, letter].confident_area

    def size(data: str, letter: str) -> float:
        return abs(by_place[data, letter].difference or 0.0)

    n = len(sets)
    without = [d for d in sets if points(d, STUMP) == 0]
    tree = [confident(d, TREE) > confident(d, STUMP) for d in sets]
    bayes = [d for d in sets if confident(d, BAYES) > confident(d, FOREST)]
    others = [d for d in sets if d != "spect"]
    larger = [d for d in sets if confident(d, STUMP) > confident(d, TREE)]
    worse = [d for d in larger if size(d, STUMP) > size(d, TREE)]
    found = [
        Claim(
            "figure 6",
            "the stump has no confident point on three data sets",
            "`confident_segment`",
            f"none on {len(without)} ({', '.join(without) or 'no set'})",
            len(without) >= n / 2,
        ),
        Claim(
            "figure 6",
            "the tree certainly outperforms the stump",
            "confident area",
            f"larger on {sum(tree)} of {n}",
            sum(tree) > n / 2,
        ),
        Claim(
            "figure 6",
            "where the stump has the larger confident area, it has a larger difference in errors",
            "mean difference, without its sign",
            f"on {len(worse)} of {len(larger)}",
            bool(larger) and worse == larger,
        ),
        Claim(
            "figure 6",
            "naive Bayes has a larger confident area than the forest on all sets but spect",
            "confident area",
            f"on {', '.join(bayes) or 'no set'}",
            bayes == others,
        ),
        Claim(
            "section 5",
            "conclusions contradict those of the AUC",
            "order of forest and naive Bayes by AUC and by confident area",
            f"exchanged on {sum(exchanged(by_place, d) for d in sets)} of {n}",
            sum(exchanged(by_place, d) for d in sets) > n / 2,
            conclusion=True,
        ),
    ]
    if "spect" in sets:
        found.append(
            Claim(
                "figure 6",
                "the tree has no confident point on spect",
                "`confident_segment`",
                f"{points('spect', TREE)} points",
                points("spect", TREE) == 0,
            )
        )
    if "dis" in sets:
        best = max((STUMP, TREE, FOREST, BAYES), key=lambda each: confident("dis", each))
        found += [
            Claim(
                "figure 6",
                "naive Bayes is best on dis",
                "confident area",
                f"largest for {best}: {confident('dis', best):.3f}",
                best == BAYES,
            ),
            Claim(
                "figure 7",
                "on dis the tree has two confident points, forest and naive Bayes many more",
                "`confident_segment`",
                f"{points('dis', TREE)}, {points('dis', FOREST)} and {points('dis', BAYES)}",
                min(points("dis", FOREST), points("dis", BAYES)) > points("dis", TREE) + 2,
            ),
        ]
    if "spectf" in sets:
        least = {
            each: by_place["spectf", each].absolute_difference
            for each in (STUMP, TREE, FOREST, BAYES)
        }
        known = {each: value for each, value in least.items() if value is not None}
        first = min(known, key=lambda each: known[each])
        areas = {each: by_place["spectf", each].area for each in least}
        largest = max(least, key=lambda each: confident("spectf", each))
        found += [
            Claim(
                "figure 6",
                "the tree outperforms all others on spectf",
                "confident area, mean absolute difference",
                f"largest area for {largest}; least difference for {first}",
                largest == first == TREE,
            ),
            Claim(
                "figure 8",
                "on spectf tree and naive Bayes clearly outperform stump and forest",
                "AUC; in Table 3 the forest has the largest there",
                ", ".join(f"{each} {value:.3f}" for each, value in areas.items()),
                min(areas[TREE], areas[BAYES]) > max(areas[STUMP], areas[FOREST]),
            ),
            Claim(
                "figure 8",
                "on spectf the tree has the least difference in errors and many confident points",
                "mean absolute difference, number of points",
                f"least for {first}; the tree has {points('spectf', TREE)} points",
                first == TREE and points("spectf", TREE) > 2,
            ),
        ]
    return found


def exchanged(by_place: Places, data: str) -> bool:
    """Whether AUC and confident area put forest and naive Bayes in different order."""
    forest, bayes = by_place[data, FOREST], by_place[data, BAYES]
    by_area = forest.area - bayes.area
    return by_area * (forest.confident_area - bayes.confident_area) < 0
