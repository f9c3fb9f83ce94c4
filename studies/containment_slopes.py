"""Bands for new curves on real data with few positives, by the slope of their lines.

``python -m studies.containment_slopes`` prints a table of `docs/explanation/containment.md`: models
trained on 100 cases, letters (4 % positives) and Californian housing (half), samples of up to 250
(half a minute of one core; data sets in the folder ROCWISE_DATA).
"""

from __future__ import annotations

import numpy as np

import rocwise as rw

from .containment_models import scored
from .containment_real import curve_of, drawn
from .containment_world import LEVEL, SEED
from .pages import markdown

BANDS, FUTURE, RESAMPLES, TRAINED_ON = 60, 5, 200, 100
NAMES, MODELS, SIZES = ("letter", "calhous"), ("LR", "NB"), (25, 100, 250)
KINDS = {"fixed-width": True, "future": False}
SLOPES = ("paper", "sd")


def shares(label: np.ndarray, score: np.ndarray, size: int) -> dict[tuple[str, str], list[float]]:
    """Per kind and slope the share of new curves that each band held, and the positives drawn."""
    rng = np.random.default_rng([SEED, size])
    found: dict[tuple[str, str], list[float]] = {("positives", ""): []}
    for seed in range(BANDS):
        data = drawn(label, score, size, rng)
        coming = [curve_of(drawn(label, score, size, rng)) for _ in range(FUTURE)]
        found["positives", ""].append(float(data.n_pos))
        for kind, future in KINDS.items():
            for slope in SLOPES:
                options = {"slope": slope, "level": LEVEL, "n_resamples": RESAMPLES, "rng": seed}
                try:
                    band = rw.band(data, kind=kind, future=future, **options)
                except rw.InputError:  # separated classes
                    continue
                held = [band.contains(curve) for curve in coming]
                found.setdefault((kind, slope), []).append(float(np.mean(held)))
    return found


def main() -> None:
    """Print the table."""
    rows = []
    for name in NAMES:
        for model, label, score in scored(name, TRAINED_ON):
            if model not in MODELS:
                continue
            for size in SIZES:
                found = shares(label, score, size)
                cells = [name, model, f"{size}", f"{np.mean(found.pop(('positives', ''))):.1f}"]
                for values in found.values():
                    error = np.std(values, ddof=1) / np.sqrt(len(values))
                    cells.append(f"{np.mean(values):.2f} ± {error:.2f}")
                rows.append([*cells, f"{len(values)}"])
    heads = ["data", "model", "n", "positives"]
    heads += [f"{words}, `{slope}`" for words in ("√2", "`future`") for slope in SLOPES]
    print(markdown([*heads, "bands"], rows))


if __name__ == "__main__":
    main()
