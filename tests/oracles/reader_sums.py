"""Covariances and moments of readers' AUCs by loops over cases, by definition."""

import itertools

import numpy as np


def kernel(x, y):
    return float(y > x) + 0.5 * float(x == y)


class Table:
    """Scores (cells, cases) with nan where not read, the truth, and the reader of each cell."""

    def __init__(self, scores, truth, readers):
        self.scores, self.truth, self.readers = scores, truth, readers
        self.pairs = [self._pairs(row) for row in scores]

    def _pairs(self, row):
        pos = [j for j in range(len(row)) if self.truth[j] and not np.isnan(row[j])]
        neg = [i for i in range(len(row)) if not self.truth[i] and not np.isnan(row[i])]
        return {(i, j): kernel(row[i], row[j]) for i in neg for j in pos}

    def area(self, a):
        return sum(self.pairs[a].values()) / len(self.pairs[a])

    def delong(self, a, b):
        total = 0.0
        for axis in (0, 1):
            units = []
            for c in (a, b):
                own = sorted({pair[axis] for pair in self.pairs[c]})
                n = len(own)
                means = {
                    k: np.mean([v for pair, v in self.pairs[c].items() if pair[axis] == k])
                    for k in own
                }
                units.append(
                    {k: (v - self.area(c)) / np.sqrt(n * (n - 1)) for k, v in means.items()}
                )
            total += sum(units[0][k] * units[1][k] for k in units[0].keys() & units[1].keys())
        return total

    def jackknife(self, a, b):
        rows = []
        for c in (a, b):
            cases = sorted({k for pair in self.pairs[c] for k in pair})
            without = {
                k: np.mean([v for pair, v in self.pairs[c].items() if k not in pair]) for k in cases
            }
            mean, n = np.mean(list(without.values())), len(cases)
            rows.append({k: (v - mean) * np.sqrt((n - 1) / n) for k, v in without.items()})
        return sum(rows[0][k] * rows[1][k] for k in rows[0].keys() & rows[1].keys())

    def unbiased(self, a, b):
        products = [
            v * w
            for (i, j), v in self.pairs[a].items()
            for (k, m), w in self.pairs[b].items()
            if i != k and j != m
        ]
        return self.area(a) * self.area(b) - np.mean(products) if products else 0.0

    def moments(self, first, second):
        """M1..M8, the biased ones, and the coefficients, over readings of two groups of cells."""
        sums, counts = np.zeros(8), np.zeros(8)
        biased, biased_counts = np.zeros(8), np.zeros(8)
        total = 0
        for a, b in itertools.product(first, second):
            same = self.readers[a] == self.readers[b]
            for ((i, j), v), ((k, m), w) in itertools.product(
                self.pairs[a].items(), self.pairs[b].items()
            ):
                kind = 2 * (i != k) + (j != m)  # 0: both same, 1: same negative, 2: same positive
                place = {0: 0, 2: 1, 1: 2, 3: 3}[kind] + (0 if same else 4)
                sums[place] += v * w
                counts[place] += 1
                total += 1
                holds = [True, j == m, i == k, True]
                holds[0] = i == k and j == m
                for q in range(4):
                    if holds[q]:
                        if same:
                            biased[q] += v * w
                            biased_counts[q] += 1
                        biased[4 + q] += v * w
                        biased_counts[4 + q] += 1
        coefficients = counts / total
        coefficients[7] -= 1
        ratio = np.divide(sums, counts, out=np.zeros(8), where=counts > 0)
        plugged = np.divide(biased, biased_counts, out=np.zeros(8), where=biased_counts > 0)
        return ratio, plugged, coefficients
