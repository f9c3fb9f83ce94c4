"""The names that this package offers to the layers above the analyses, listed once."""
# fmt: off

from rocwise.engines.paths import files_of as files_of
from rocwise.engines.sources import first_rows as first_rows
from rocwise.engines.text_formats import text_file as text_file

from .forecasts import forecast_rows as forecast_rows
from .ordered_classes import rankings as rankings
from .several_classes import class_rows as class_rows
from .several_classes import model_rows as model_rows
from .two_classes import pair as pair
from .two_classes import tally as tally
from .vectors import named_columns as named_columns

__all__: list[str]
