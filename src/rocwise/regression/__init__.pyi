"""The names that this package offers beside those of `rocwise`, listed once."""
# fmt: off

from .comparisons.loss_tests import block_length as block_length

__all__: list[str]
