"""Results that keep the counts they were made from: for pictures, and for further questions."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from rocwise.arrays import Floats
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.results import ASIDE, Result, result


@result
class AboutData(Result):
    """An answer about one tally, which stays at hand as `data` where it is known."""

    data: Tally | None = field(default=None, metadata=ASIDE)

    def curve(self) -> tuple[Floats, Floats]:
        """False and true positive rates of the ROC curve of the same data."""
        from rocwise.binary.curves.empirical import rates_from_zero

        return rates_from_zero(self._known_data())

    def ask(self, question: str, **options: Any) -> Any:
        """Another question about the same data.

        Parameters
        ----------
        question : str
            The name of a function of rocwise, such as "auc" or "threshold".
        **options
            Its options.

        Examples
        --------
        >>> import rocwise as rw
        >>> curve = rw.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        >>> curve.ask("auc").value
        0.75
        """
        import rocwise

        if question not in rocwise.__all__:
            raise InputError(
                f"`question` must be the name of a function of rocwise; got {question!r}."
            )
        return getattr(rocwise, question)(self._known_data(), **options)

    def _known_data(self) -> Tally:
        if self.data is None:
            raise InputError(
                f"this {type(self).__name__} has not kept its data, so nothing more can be asked "
                "of it; ask the data themselves."
            )
        return self.data
