"""Rows beyond memory: sorted runs, on disk where memory ends, read range by range.

`parquet_rows.opened` answers for files what `requests.LargeSource` asks; `conversions` makes such
a file of every other source.
"""
