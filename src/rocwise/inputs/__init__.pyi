"""The names that this package offers to the layers above the analyses, listed once."""
# fmt: off

from .columns.raw_columns import first_rows as first_rows
from .columns.raw_columns import named_columns as named_columns
from .forecasts import forecast_rows as forecast_rows
from .ordered_classes import rankings as rankings
from .paired_models import pair as pair
from .paired_models import pair_frame as pair_frame
from .several_classes import class_rows as class_rows
from .several_classes import model_rows as model_rows
from .two_classes import tally as tally
from .two_classes import tally_frame as tally_frame

__all__: list[str]
