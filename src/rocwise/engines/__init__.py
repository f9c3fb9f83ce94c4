"""Columns from DataFrames and files: narwhals, the csv module, DuckDB and Spark.

`columns_of` returns the rows, `counted_rows` distinct rows with their counts where the engine can
count. Neither cleans anything: `rocwise.inputs` does. `large_source` opens sources with more rows
than memory, of which only counts and sums are fetched. A new engine is a module like `frames`,
`text_files` and `parquet_files`, and a line in `sources`.
"""

from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.sources import columns_of, counted_rows, first_non_numeric, large_source

__all__ = ["CountedRows", "columns_of", "counted_rows", "first_non_numeric", "large_source"]
