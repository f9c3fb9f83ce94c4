"""Where data comes from, and where equal rows are counted.

`counted_rows` answers with distinct rows and how often each occurs, as far as the source can
count; `columns_of` with whole columns, row by row, for questions that need every row. Neither
cleans anything: what a label, a missing value or a zero is, `rocwise.inputs` decides for all.
`large_source` opens what has more rows than memory, of which only counts and sums leave.
A further engine is a module beside `frames`, `text_files` and `parquet_files`, and a line in
`sources`.
"""

from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.sources import columns_of, counted_rows, large_source

__all__ = ["CountedRows", "columns_of", "counted_rows", "large_source"]
