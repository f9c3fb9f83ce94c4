"""What the sigma-point filters have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rocwise.arrays import Floats
from rocwise.regression.filters.base import StateSpaceFilter
from rocwise.regression.filters.model_functions import ModelFunction
from rocwise.regression.filters.sigma.sigma_points import SigmaPointRule
from rocwise.regression.filters.steps import (
    FilterStep,
    PointTransform,
    SigmaPointStep,
    SquareRootStep,
)


class SigmaPointFilter(StateSpaceFilter):
    """Base of the unscented and the central-difference filters."""

    def __init__(
        self,
        transition: Callable[..., Any],
        observation: Callable[..., Any],
        *,
        vectorized: bool,
        **model: Any,
    ) -> None:
        super().__init__(
            ModelFunction(transition, "transition", width=None, vectorized=vectorized),
            ModelFunction(observation, "observation", width=None, vectorized=vectorized),
            **model,
        )

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
