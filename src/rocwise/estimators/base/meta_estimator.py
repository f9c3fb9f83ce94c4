"""What every classifier around another model shares: the model, and its place in scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, check_cv
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

INHERITED = ("n_features_in_", "feature_names_in_")


class MetaEstimator(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that asks the model in its parameter `estimator`."""

    estimator: Any
    estimator_: Any
    cv: Any

    def _model(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _routed(self, fit_params: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The arguments of `fit` that the model is to be given, and those of the splitter."""
        if fit_params and get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **fit_params)
            return routed.estimator.fit, routed.splitter.split if "splitter" in routed else {}
        given = dict(fit_params)
        groups = given.pop("groups", None)
        return given, {} if groups is None else {"groups": groups}

    def _inherit_features(self) -> None:
        """Know the columns that the fitted model knows."""
        for name in INHERITED:
            self.__dict__.pop(name, None)  # of an earlier fit
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))

    def get_metadata_routing(self) -> Any:
        """Arguments of `fit` go to the `fit` of the model, and groups to the splitter.

        See scikit-learn's metadata routing.
        """
        router = MetadataRouter(owner=self).add(
            estimator=self._model(), method_mapping=MethodMapping().add(caller="fit", callee="fit")
        )
        if isinstance(self.cv, str):  # a fitted model has no splitter
            return router
        folds = StratifiedGroupKFold() if is_number(self.cv) else check_cv(self.cv, classifier=True)
        return router.add(
            splitter=folds, method_mapping=MethodMapping().add(caller="fit", callee="split")
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._model()).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.allow_nan = inner.allow_nan
        tags.input_tags.pairwise = inner.pairwise
        return tags


def is_number(cv: Any) -> bool:
    """Whether `cv` is a number of folds."""
    return isinstance(cv, (int, np.integer)) and not isinstance(cv, bool)
