"""What every classifier around another model shares: the model, and its place in scikit-learn."""

from __future__ import annotations

from typing import Any

from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.linear_model import LogisticRegression
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

INHERITED = ("n_features_in_", "feature_names_in_")


class MetaEstimator(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that asks the model in its parameter `estimator`."""

    estimator: Any
    estimator_: Any

    def _model(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _for_model(self, fit_params: dict[str, Any]) -> dict[str, Any]:
        """The arguments of `fit` that the model is to be given."""
        if fit_params and get_config()["enable_metadata_routing"]:
            routed: dict[str, Any] = process_routing(self, "fit", **fit_params).estimator.fit
            return routed
        return fit_params

    def _inherit_features(self) -> None:
        """Know the columns that the fitted model knows."""
        for name in INHERITED:
            self.__dict__.pop(name, None)  # of an earlier fit
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))

    def get_metadata_routing(self) -> Any:
        """Arguments of `fit` go to the `fit` of the model; see scikit-learn's metadata routing."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=self).add(estimator=self._model(), method_mapping=mapping)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._model()).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.allow_nan = inner.allow_nan
        tags.input_tags.pairwise = inner.pairwise
        return tags
