"""Future-curve containment on real data, in the manner of Macskassy, Provost and Rosset (2005).

A model is trained on some cases; bands are made from samples of the others and asked for the
curves of further samples. Needs scikit-learn, pandas and the data sets (folder in ROCWISE_DATA).
Run `python -m studies.containment_real`.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rocwise as rw

from .containment_world import FUTURE_KINDS, SEED, band_of

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "containment.md"
SIZES = (25, 100, 250, 1000, 2500)
TRAINED_ON = (100, 2500)
Labels = NDArray[np.int64]


def data_folder() -> Path:
    """Where the data sets are."""
    named = os.environ.get("ROCWISE_DATA")
    return Path(named) if named else Path(__file__).parents[2] / "shared" / "data"


def data_sets() -> dict[str, Callable[[Any], Any]]:
    """Name of each data set, and which rows of its target are positive."""
    return {
        "adult": lambda target: target == ">50K",
        "letter": lambda target: target == "V",
        "calhous": lambda target: target > target.median(),
        "covertype": lambda target: target.astype(str) == "2",
    }


def read(name: str, is_positive: Callable[[Any], Any]) -> tuple[NDArray[np.float64], Labels]:
    """Numbers for all features (codes for words), standardised, and labels."""
    import pandas as pd

    table = pd.read_csv(data_folder() / f"{name}.csv.gz")
    target, features = table.iloc[:, -1], table.iloc[:, :-1]
    words = features.select_dtypes(exclude="number").columns
    numbers = pd.get_dummies(features, columns=list(words), dtype=float).to_numpy(float)
    numbers = np.nan_to_num(numbers)
    spread = numbers.std(axis=0)
    return (numbers - numbers.mean(axis=0)) / np.where(spread > 0, spread, 1.0), np.asarray(
        is_positive(target), np.int64
    )


def models() -> dict[str, Any]:
    """Models by the letters of the paper's tables."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    return {
        "LR": LogisticRegression(max_iter=500, C=0.1),
        "NB": GaussianNB(var_smoothing=1e-3),
        "tree": DecisionTreeClassifier(min_samples_leaf=5, random_state=0),
    }


def scored(name: str, trained_on: int) -> Iterator[tuple[str, Labels, NDArray[np.float64]]]:
    """Each model's scores of the cases it was not trained on."""
    features, label = read(name, data_sets()[name])
    order = np.random.default_rng(SEED).permutation(len(label))
    train, rest = order[:trained_on], order[trained_on:]
    for letters, model in models().items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # 100 cases may not settle a model: that is the study
            model.fit(features[train], label[train])
            chance = model.predict_proba(features[rest])[:, 1]
        yield letters, label[rest], chance


def shares(
    label: Labels, score: NDArray[np.float64], size: int, options: argparse.Namespace
) -> dict[str, float]:
    """Containment of new samples' curves, by kind of band."""
    generator = np.random.default_rng([SEED, size])
    found: dict[str, list[float]] = {kind: [] for kind in FUTURE_KINDS}
    for _ in range(options.bands):
        data = drawn(label, score, size, generator)
        coming = [drawn(label, score, size, generator) for _ in range(options.future)]
        seed = int(generator.integers(2**62))
        for kind in FUTURE_KINDS:
            band = band_of(data, kind, options.resamples, seed)
            if band is not None:
                inside = [band.contains(curve_of(each)) for each in coming]
                found[kind].append(float(np.mean(inside)))
    return {kind: float(np.mean(values)) for kind, values in found.items() if values}


def drawn(
    label: Labels, score: NDArray[np.float64], size: int, generator: np.random.Generator
) -> rw.Tally:
    """A sample without replacement that has both classes."""
    while True:
        rows = generator.choice(len(label), size, replace=False)
        if 0 < label[rows].sum() < size:
            return rw.tally(label[rows], score[rows])


def curve_of(data: rw.Tally) -> Any:
    """The curve, without a word about its direction."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.DirectionWarning)
        return rw.roc(data)


def tables(options: argparse.Namespace) -> str:
    """One table for each number of training cases, averaged over the data sets."""
    parts = []
    for trained_on in TRAINED_ON:
        sums: dict[tuple[str, int, str], list[float]] = {}
        for name in data_sets():
            for letters, label, score in scored(name, trained_on):
                for size in SIZES:
                    for kind, share in shares(label, score, size, options).items():
                        sums.setdefault((letters, size, kind), []).append(share)
                print(f"{name}, {letters}, {trained_on} cases", file=sys.stderr, flush=True)
        parts.append(markdown(trained_on, sums))
    return "\n\n".join(parts)


def markdown(trained_on: int, sums: dict[tuple[str, int, str], list[float]]) -> str:
    """Rows are sample sizes; a cell has the √2 widening, then the calibrated band."""
    letters = list(dict.fromkeys(key[0] for key in sums))
    lines = [
        f"Models trained on {trained_on:,} cases:",
        "",
        f"| n | {' | '.join(letters)} | average |",
        f"|---|{'---|' * (len(letters) + 1)}",
    ]
    for size in SIZES:
        cells = [tuple(np.mean(sums[one, size, kind]) for kind in FUTURE_KINDS) for one in letters]
        cells.append(tuple(np.mean(cells, axis=0)))
        words = " | ".join(f"{widened:.2f}, {calibrated:.2f}" for widened, calibrated in cells)
        lines.append(f"| {size:,} | {words} |")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> None:
    """Count, and write the tables into the page."""
    parser = argparse.ArgumentParser(prog="studies.containment_real", description=__doc__)
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--bands", type=int, default=100, help="bands for each model and size")
    parser.add_argument("--future", type=int, default=20, help="new samples for each band")
    parser.add_argument("--resamples", type=int, default=500)
    options = parser.parse_args(arguments)
    found = tables(options)
    text = options.page.read_text(encoding="utf-8")
    before, _, rest = text.partition("<!-- real -->\n")
    after = rest.partition("<!-- real end -->\n")[2]
    options.page.write_text(
        f"{before}<!-- real -->\n\n{found}\n\n<!-- real end -->\n{after}", encoding="utf-8"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
