"""The functions of a model, called for many states at once, and their Jacobians."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown

DIFFERENCE_STEP = 1e-4  # of the central differences, relative where the state is above 1


class ModelFunction:
    """A function of the user: states (n, L), and noises (n, q) if it takes them, to (n, width)."""

    def __init__(
        self,
        function: Callable[..., Any],
        argument: str,
        *,
        width: int | None,
        vectorized: bool,
        jacobian: Callable[..., Any] | None = None,
    ) -> None:
        for name, given in ((argument, function), (f"{argument}_jacobian", jacobian)):
            if name != argument and given is None:
                continue  # differences stand for derivatives
            if not callable(given):
                raise InputError(f"`{name}` must be a function; got {type(given).__name__}.")
            if isinstance(given, type):
                raise InputError(f"`{name}` must be a function; got the class {shown(given)}.")
        vectorized = checks.flag(vectorized, "vectorized")
        self.function: Callable[..., Any] = function
        self.jacobian_function: Callable[..., Any] | None = jacobian
        self.argument: str = argument
        self.vectorized: bool = vectorized
        self.width: int | None = width
        self._jacobian_by_state: bool | None = None if vectorized else True  # None: not yet known

    def measure(self, *inputs: Floats) -> int:
        """Call the function once to learn how many values it gives; keep and return the number."""
        states = inputs if self.vectorized else [each[0] for each in inputs]
        try:
            first = self._real(self.function(*states))
        except InputError:
            raise
        except (TypeError, ValueError) as problem:
            raise self._no_numbers(problem) from problem
        if first.ndim > 1 + self.vectorized or (self.vectorized and first.shape[:1] != (1,)):
            self._refuse(first.shape, (1, "d") if self.vectorized else ("d",))
        self.width = max(first.size, 1)
        return self.width

    def __call__(self, *inputs: Floats) -> Floats:
        """Values for each row of the inputs."""
        n, width = len(inputs[0]), self.width
        if self.vectorized:
            values = self._real(self.function(*inputs))
            if values.shape == (n, width):
                return values
            if width == 1 and values.shape == (n,):
                return values[:, None]
            self._refuse(values.shape, (n, width))
        found = [self.function(*row) for row in zip(*inputs)]  # noqa: B905
        if all(type(value) is np.ndarray and value.shape == (width,) for value in found):
            return self._real(np.concatenate(found)).reshape(n, -1)
        arrays = [self._real(value) for value in found]
        for value in arrays:
            if value.shape != (width,) and not (width == 1 and value.shape == ()):
                self._refuse(value.shape, (width,))
        return np.array(arrays).reshape(n, -1)

    def _real(self, values: Any, part: str = "") -> Floats:
        """What a function gave as floats; numpy would keep the real part of complex numbers."""
        try:
            array = np.asarray(values)
        except (TypeError, ValueError) as problem:
            raise self._no_numbers(problem, part) from problem
        if array.dtype.kind == "c":
            raise InputError(
                f"`{self.argument}{part}` must return real numbers; it returned complex ones."
            )
        try:
            return np.asarray(array, dtype=np.float64)
        except (TypeError, ValueError) as problem:
            raise self._no_numbers(problem, part) from problem

    def _no_numbers(self, problem: Exception, part: str = "") -> InputError:
        return InputError(
            f"`{self.argument}{part}` must be a function of a state that gives numbers; calling it "
            f"raised {type(problem).__name__}: {problem}."
        )

    def _refuse(self, shape: tuple[int, ...], wanted: tuple[Any, ...]) -> None:
        words = ", ".join(map(str, wanted)) + ("," if len(wanted) == 1 else "")
        hint = " for the states it was given" if self.vectorized else " for one state"
        raise InputError(
            f"`{self.argument}` must return an array of shape ({words}){hint}; "
            f"it returned the shape {shape}."
        )

    def jacobian(self, *inputs: Floats) -> Floats:
        """Derivatives by all inputs, side by side: (n, width, L) or (n, width, L + q)."""
        n, size = len(inputs[0]), sum(each.shape[1] for each in inputs)
        if self.jacobian_function is None:
            return self._differences(*inputs)
        if self._jacobian_by_state is None:
            self._jacobian_by_state = not self._takes_many_states(*inputs)
        if self._jacobian_by_state:
            rows = zip(*inputs)  # noqa: B905
            found = self._real([self.jacobian_function(*row) for row in rows], "_jacobian")
        else:
            found = self._real(self.jacobian_function(*inputs), "_jacobian")
        shape = (n, self.width, size)
        if found.shape != shape and not (found.size == n == found.shape[0] and shape == (n, 1, 1)):
            raise InputError(
                f"`{self.argument}_jacobian` must return an array of shape {shape[1:]} for one "
                f"state; it returned the shape {found.shape[1:]}."
            )
        return found.reshape(n, -1, size)

    def _takes_many_states(self, *inputs: Floats) -> bool:
        """Whether the Jacobian function turns (k, L) into (k, width, .), tried on k equal states.

        A vectorized model may come with the Jacobian of one state, x (L,) to (width, .).
        """
        assert self.jacobian_function is not None and self.width is not None
        size = sum(each.shape[1] for each in inputs)
        k = size + self.width + 1  # unlike every other length, so that no shape fits by chance
        try:
            found = np.shape(self.jacobian_function(*(each[:1].repeat(k, 0) for each in inputs)))
        except (IndexError, TypeError, ValueError):  # as a function of one state would answer
            return False
        return found == (k, self.width, size) or (
            self.width == size == 1 and found in {(k,), (k, 1)}
        )

    def _differences(self, *inputs: Floats) -> Floats:
        """Central differences at two steps, combined so that their cubic error cancels."""
        near, far = (self._central_differences(k * DIFFERENCE_STEP, *inputs) for k in (1, 2))
        return np.asarray((4 * near - far) / 3)

    def _central_differences(self, step: float, *inputs: Floats) -> Floats:
        together = np.concatenate(inputs, axis=1)
        n, size = together.shape
        shifts = (step * np.maximum(1.0, np.abs(together)))[:, None, :] * np.eye(size)
        points = np.concatenate([together[:, None] + shifts, together[:, None] - shifts], axis=1)
        taken = np.einsum("nii->ni", points[:, :size]) - np.einsum("nii->ni", points[:, size:])
        flat = points.reshape(-1, size)
        cut = inputs[0].shape[1]
        parts = (flat,) if len(inputs) == 1 else (flat[:, :cut], flat[:, cut:])
        values = self(*parts).reshape(n, 2, size, -1)
        return np.asarray(((values[:, 0] - values[:, 1]) / taken[:, :, None]).transpose(0, 2, 1))
