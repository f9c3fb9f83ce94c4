"""scikit-learn estimators, displays and scorers.

`displays` and `named_scorers` follow scikit-learn's habits of drawing and of choosing models.
One file for each estimator, listed in `__init__.pyi` and loaded when first used, so that one
estimator does not import the others. `base` is common to the classifiers, `mimetic` the parts
of `MimeticClassifier`.
"""

from typing import Any

from rocwise.lazy_names import attach

_load, __dir__, __all__ = attach(__name__, __file__)


def __getattr__(name: str) -> Any:
    from importlib.util import find_spec

    if name in __all__ and find_spec("sklearn") is None:
        from rocwise.errors import missing_package

        raise missing_package("scikit-learn", "models", f"`{name}`")
    return _load(name)
