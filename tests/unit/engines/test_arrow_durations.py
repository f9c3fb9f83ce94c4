"""Durations in the Arrow schema of a Parquet file, read without pyarrow."""

import base64

import pyarrow as pa
import pytest

from rocwise.engines.parquet_files import durations_of

KINDS = [
    pa.int64(),
    pa.duration("s"),
    pa.string(),
    pa.duration("ns"),
    pa.timestamp("us", "UTC"),
    pa.list_(pa.duration("s")),
    pa.struct([("inside", pa.duration("ms"))]),
    pa.dictionary(pa.int32(), pa.string()),
    pa.decimal128(10, 2),
    pa.null(),
]


@pytest.mark.parametrize("kinds", [KINDS, KINDS[::-1], KINDS[:1], KINDS[1:2], []])
def test_durations_of_a_schema(kinds):
    names = [f"{'cöl名' * (k % 3)}{k}" for k in range(len(kinds))]
    fields = [pa.field(name, kind) for name, kind in zip(names, kinds, strict=True)]
    schema = pa.schema(fields, metadata={"pandas": "x" * 100})
    expected = {field.name for field in schema if pa.types.is_duration(field.type)}
    encoded = base64.b64encode(schema.serialize().to_pybytes())
    assert durations_of(encoded) == expected
    for size in range(0, len(encoded), 37):  # cut short: names that are whole, or none
        assert durations_of(encoded[:size]) <= expected
