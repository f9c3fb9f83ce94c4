"""Type I error of tests for reader studies by the simulation model of Roe and Metz (1997)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

import rocwise as rw
from rocwise.datasets import marked_lesions, reader_study

from .simulation import Counts, Records, Study, markdown, proportions, rows_by_name

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
COLUMNS = {name: name for name in ("case", "score", "lesion", "lesions", "reader", "modality")}


def simulated(
    structure: str, separation: float, n_readers: int, rng: np.random.Generator, **more: Any
) -> Any:
    """50 positives and 50 negatives, read in two modalities, or in one and by a model (`ai`)."""
    variance = READERS[structure[1]][SEPARATIONS.index(separation)]
    if "ai" in more:  # the expected AUC of a reader
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


def modalities(structure: str, separation: float, samples: int) -> Counts:
    """Two equal modalities, five readers; a negative variance estimate is no rejection."""
    rng = np.random.default_rng([7, STRUCTURES.index(structure), SEPARATIONS.index(separation)])
    found = Counts()
    for _ in range(samples):
        study = simulated(structure, separation, 5, rng)
        columns = {"case": study.case, "reader": study.reader, "modality": study.modality}
        for name, options in METHODS.items():
            try:
                result = rw.readers.compare(study.y_true, study.y_score, **columns, **options)
            except rw.InputError:
                found.add(name, False)
            else:
                found.add(name, result.p_value < 0.05)
    return found


def standalone(structure: str, n_readers: int, samples: int) -> Counts:
    """A standalone model with the AUC of the average reader."""
    rng, found = np.random.default_rng([8, STRUCTURES.index(structure), n_readers]), Counts()
    for _ in range(samples):
        study = simulated(structure, 1.5, n_readers, rng, ai=True)
        columns = {"case": study.case, "reader": study.reader}
        result = rw.readers.compare(study.y_true, study.y_score, **columns, ai="AI")
        found.add(f"{n_readers} readers", result.p_value < 0.05)
    return found


def localized(figure: str, n_readers: int, samples: int) -> Counts:
    """Localized marks in two equal modalities, by figure of merit."""
    rng, found = np.random.default_rng([9, FIGURES.index(figure), n_readers]), Counts()
    for _ in range(samples):
        study = marked_lesions(n_readers, 50, 50, separation=(1.2, 1.2), rng=rng)
        result = rw.froc(study.marks, study.cases, **COLUMNS, figure=figure)
        found.add(f"{n_readers} readers", result.p_value < 0.05)
    return found


def tables(records: Records) -> dict[str, str]:
    """Percentages of rejections."""
    settings = [(f"{name}, {separation}",) for name, separation in DATA]
    readers = [f"{n} readers" for n in NUMBERS]
    one, marks = [(name,) for name in STRUCTURES], [(name,) for name in FIGURES]
    return {
        "reader studies": markdown(
            ["data", *METHODS], rows_by_name(settings, records["modalities"])
        ),
        "standalone models": markdown(["data", *readers], rows_by_name(one, records["standalone"])),
        "marks on lesions": markdown(
            ["figure of merit", *readers], rows_by_name(marks, records["localized"])
        ),
    }


DATA = list(product(STRUCTURES, SEPARATIONS))
STUDY = Study(
    "reader_studies",
    (
        proportions("modalities", DATA, modalities, samples=2000, few=3),
        proportions("standalone", product(STRUCTURES, NUMBERS), standalone, samples=2000, few=3),
        proportions("localized", product(FIGURES, NUMBERS), localized, samples=2000, few=3),
    ),
    tables,
)
