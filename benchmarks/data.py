"""The data every implementation is given: two models' scores for the same rows."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

POSITIVE_SHARE = 0.3
MODEL_NOISE = 0.8
TIE_WIDTH = 0.1  # rounding the latent score to this leaves about a hundred distinct scores


@dataclass(frozen=True, eq=False)
class Sample:
    """Labels (0 or 1) with the scores of two models, as probabilities.

    Scores lie in [0, 1] because some peers apply a sigmoid to anything else.
    """

    label: NDArray[np.int64]
    first: NDArray[np.floating]
    second: NDArray[np.floating]

    @property
    def rows(self) -> int:
        return len(self.label)

    @property
    def both(self) -> dict[str, NDArray[np.floating]]:
        return {"first": self.first, "second": self.second}

    def save(self, folder: Path) -> None:
        """Write plain little-endian columns, which R and a worker process can read."""
        self.label.astype("<i4").tofile(folder / "label.bin")
        self.first.astype("<f8").tofile(folder / "first.bin")
        self.second.astype("<f8").tofile(folder / "second.bin")


def load(folder: Path) -> Sample:
    """Read what `Sample.save` wrote."""
    return Sample(
        np.fromfile(folder / "label.bin", dtype="<i4").astype(np.int64),
        np.fromfile(folder / "first.bin", dtype="<f8"),
        np.fromfile(folder / "second.bin", dtype="<f8"),
    )


def binormal(
    rows: int, *, ties: bool = False, dtype: type[np.floating] = np.float64, seed: int = 7
) -> Sample:
    """Draw a binormal sample; the two models are equally good and correlated."""
    rng = np.random.default_rng(seed)
    label = (rng.random(rows) < POSITIVE_SHARE).astype(np.int64)
    signal = rng.standard_normal(rows) + 1.25 * label
    scores = [signal + MODEL_NOISE * rng.standard_normal(rows) for _ in range(2)]
    if ties:
        scores = [np.round(score / TIE_WIDTH) * TIE_WIDTH for score in scores]
    first, second = ((1 / (1 + np.exp(-score))).astype(dtype) for score in scores)
    return Sample(label, first, second)


def write_csv(path: Path, rows: int) -> Path:
    """A file with the labels and the scores of one model."""
    sample = binormal(rows)
    lines = [
        f"{y},{p!r}" for y, p in zip(sample.label.tolist(), sample.first.tolist(), strict=True)
    ]
    path.write_text("\n".join(["y,p", *lines]) + "\n")
    return path
