"""The names that this package offers; read also by `__init__.py`."""
# fmt: off

from .unlabelled import rule_without_labels as rule_without_labels

__all__: list[str]
