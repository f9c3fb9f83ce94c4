"""How often tests of reader studies reject equal modalities, by the model of Roe and Metz (1997).

``python -m studies.reader_studies`` counts what is missing and writes the tables of
`docs/validation/reader-studies.md` (ten minutes of one core).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

import rocwise as rw
from rocwise.datasets import marked_lesions, reader_study

from .cells import Records
from .kept_counts import markdown
from .study import Asked, Study, by_cell, hits_part, run

# variances of case, case by modality, case by reader, and error
CASES = {"H": (0.3, 0.3, 0.2, 0.2), "L": (0.1, 0.1, 0.2, 0.6)}
READERS = {"L": (0.0055, 0.0055, 0.0055), "H": (0.011, 0.030, 0.056)}  # by separation
SEPARATIONS = (0.75, 1.5, 2.5)
STRUCTURES = ("HL", "LL", "HH", "LH")  # correlation of the data, variance of the readers
METHODS: dict[str, dict[str, Any]] = {
    "Obuchowski-Rockette": {},
    "U-statistics": {"method": "u-statistics"},
    "U-statistics, MLE": {"method": "mle"},
    "fixed readers": {"readers": "fixed"},
}
NUMBERS = (3, 5, 10)
FIGURES = ("wafroc", "afroc", "inferred")
MARKS = {name: name for name in ("case", "score", "lesion", "lesions", "reader", "modality")}
SAMPLES = 2_000


def simulated(
    structure: str, separation: float, n_readers: int, rng: np.random.Generator, **more: Any
) -> Any:
    """50 positives and 50 negatives, read in two modalities, or in one (`ai`)."""
    variance = READERS[structure[1]][SEPARATIONS.index(separation)]
    if "ai" in more:  # the expected area of a reader
        more |= {"separation": (separation,), "ai": separation / np.sqrt(1 + 2 * variance)}
    return reader_study(
        n_readers,
        50,
        50,
        **{"separation": (separation, separation)} | more,
        reader_variance=variance,
        case_variances=CASES[structure[0]],
        rng=rng,
    )


def rejections(structure: str, separation: float, samples: int) -> Asked:
    """How many of the samples every method rejects at the level of 5%."""
    rng = np.random.default_rng([7, STRUCTURES.index(structure), SEPARATIONS.index(separation)])
    found = dict.fromkeys(METHODS, 0)
    for _ in range(samples):
        study = simulated(structure, separation, 5, rng)
        columns = {"case": study.case, "reader": study.reader, "modality": study.modality}
        for name, how in METHODS.items():
            try:
                compared = rw.readers.compare(study.y_true, study.y_score, **columns, **how)
            except rw.InputError:  # a negative variance: no test
                continue
            found[name] += compared.p_value < 0.05
    return {name: (samples, int(hits)) for name, hits in found.items()}


def standalone(structure: str, n_readers: int, samples: int) -> Asked:
    """The same of a standalone model as good as the mean reader."""
    rng = np.random.default_rng([8, STRUCTURES.index(structure), n_readers])
    hits = 0
    for _ in range(samples):
        study = simulated(structure, 1.5, n_readers, rng, ai=True)
        columns = {"case": study.case, "reader": study.reader}
        compared = rw.readers.compare(study.y_true, study.y_score, **columns, ai="AI")
        hits += compared.p_value < 0.05
    return {f"{n_readers} readers": (samples, int(hits))}


def localized(figure: str, n_readers: int, samples: int) -> Asked:
    """The same of marks on lesions in two equal modalities."""
    rng = np.random.default_rng([9, FIGURES.index(figure), n_readers])
    hits = 0
    for _ in range(samples):
        study = marked_lesions(n_readers, 50, 50, separation=(1.2, 1.2), rng=rng)
        compared = rw.froc(study.marks, study.cases, **MARKS, figure=figure)
        hits += compared.p_value < 0.05
    return {f"{n_readers} readers": (samples, int(hits))}


def tables(records: Records) -> dict[str, str]:
    """Rejections in percent."""
    modalities = [
        [f"{name}, {mu}", *(one.percent for one in counts)]
        for (name, mu), counts in zip(
            product(STRUCTURES, SEPARATIONS), by_cell(records["modalities"]).values(), strict=True
        )
    ]
    return {
        "reader studies": markdown(["data", *METHODS], modalities),
        "standalone models": _by_number("data", STRUCTURES, records["standalone"]),
        "marks on lesions": _by_number("figure of merit", FIGURES, records["localized"]),
    }


def _by_number(title: str, names: Sequence[str], counts: Sequence[Any]) -> str:
    """A row for each name, and a column for each number of readers."""
    rows = [
        [name, *(one.percent for one in counts[k * len(NUMBERS) : (k + 1) * len(NUMBERS)])]
        for k, name in enumerate(names)
    ]
    return markdown([title, *(f"{n} readers" for n in NUMBERS)], rows)


STUDY = Study(
    "reader_studies",
    (
        hits_part(
            "modalities", list(product(STRUCTURES, SEPARATIONS)), rejections, samples=SAMPLES, few=3
        ),
        hits_part(
            "standalone", list(product(STRUCTURES, NUMBERS)), standalone, samples=SAMPLES, few=3
        ),
        hits_part("localized", list(product(FIGURES, NUMBERS)), localized, samples=SAMPLES, few=3),
    ),
    tables,
)


if __name__ == "__main__":
    sys.exit(run(STUDY))
