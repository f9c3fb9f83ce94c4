"""What the sigma-point filters have in common."""

from __future__ import annotations

from rocwise.arrays import Floats
from rocwise.regression.filters.base import FunctionFilter
from rocwise.regression.filters.sigma.sigma_points import SigmaPointRule
from rocwise.regression.filters.steps import (
    FilterStep,
    PointTransform,
    SigmaPointStep,
    SquareRootStep,
)


class SigmaPointFilter(FunctionFilter):
    """Base of the unscented and the central-difference filters."""

    def _rule(self, size: int) -> SigmaPointRule:
        raise NotImplementedError

    def _step(self, batch: int, process: Floats, observation: Floats) -> FilterStep:
        transforms = []
        for function, noise in ((self._transition, process), (self._observation, observation)):
            size = self.n_states + (noise.shape[-1] if self.augmented else 0)
            transforms.append(
                PointTransform(function, self._rule(size), noise, self.augmented, batch)
            )
        return (SquareRootStep if self._carries_root else SigmaPointStep)(*transforms)
