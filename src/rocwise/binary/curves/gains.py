"""Lift and cumulative gain: what the highest scored cases hold."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Array, Floats
from rocwise.binary.curves.cumulative_sums import of_points
from rocwise.binary.curves.kept_data import AboutData
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels.row_formulas import row_by_row
from rocwise.results import result


@result
class Lift(AboutData):
    """The share of all positives (`gain`) among a `share` of the cases with the highest scores.

    `lift` = gain / share: how many times as many positives as among as many cases drawn blindly;
    masked where nobody is drawn. `ks` is the largest distance between the two classes' gains, the
    statistic of Kolmogorov and Smirnov, at `ks_threshold`.
    """

    share: Floats
    gain: Floats
    lift: Floats
    thresholds: Array
    ks: float
    ks_threshold: float
    prevalence: float
    n_pos: float
    n_neg: float

    @property
    def observed_scores(self) -> Array:
        """The distinct scores, the most positive first."""
        return self.thresholds[1:]

    def at(self, share: Any) -> Floats:
        """The gain among shares of the cases; between scores, tied cases are drawn blindly."""
        wanted = np.atleast_1d(checks.rates(share, "share", most=1))
        return np.asarray(np.interp(wanted, self.share, self.gain))

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        tenth = float(self.at(0.1)[0])
        return (
            f"the highest tenth of the scores holds {printing.rate(tenth, size)} of the positives "
            f"(lift {10 * tenth:.2f}); KS {printing.rate(self.ks, size)}; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


@by_group
def lift(
    data: Any = None,
    y_score: Any = None,
    **given: Unpack[TallyOptions],
) -> Lift:
    """Lift and cumulative gain at every distinct score, from nobody to everybody.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    Lift
        With `share`, `gain`, `lift`, `ks`.

    Examples
    --------
    >>> import rocwise as rw
    >>> curve = rw.lift([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.share.tolist(), curve.gain.tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    tally = as_tally("lift", data, y_score, given)
    scores, tp, fp = tally.curve_counts()
    total = tally.n_pos + tally.n_neg
    share = of_points(0.0, lambda hits, alarms: (hits + alarms) / total, tp, fp)
    gain = of_points(0.0, lambda hits: hits / tally.n_pos, tp)
    ratio = row_by_row(_ratio, gain, share)
    masked: Floats = np.ma.masked_array(ratio, mask=share == 0)
    beyond = np.inf if tally.direction == "higher" else -np.inf
    thresholds = of_points(beyond, np.asarray, scores)
    apart = of_points(0.0, lambda own, alarms: np.abs(own - alarms / tally.n_neg), gain[1:], fp)
    best = int(np.argmax(apart))
    return Lift(
        share=share,
        gain=gain,
        lift=masked,
        thresholds=thresholds,
        ks=float(apart[best]),
        ks_threshold=float(thresholds[best]),
        prevalence=float(tally.n_pos / total),
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        data=tally,
        origin=tally.origin,
    )


def _ratio(gain: Floats, share: Floats) -> Floats:
    """The lift; 0 where nobody is drawn, which is masked."""
    return np.divide(gain, share, out=np.zeros_like(gain), where=share != 0)
