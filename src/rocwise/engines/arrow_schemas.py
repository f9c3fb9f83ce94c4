"""Types that Arrow keeps beside a Parquet file, whose own types are fewer.

Parquet has no durations: Arrow stores integers, and says in the file's metadata what they are.
The metadata is a schema in Arrow's interprocess format, a table of flatbuffers:
https://arrow.apache.org/docs/format/Columnar.html
"""

from __future__ import annotations

import base64
import binascii
import struct

DURATION = 18  # number of the type in Arrow's Schema.fbs
HEADER, FIELDS = 2, 1  # places of members: Message.header, Schema.fields
NAME, TYPE_KIND = 0, 2  # Field.name, Field.type_type


def durations_of(encoded: bytes) -> frozenset[str]:
    """Names of the columns that are durations; none if the schema cannot be read.

    >>> durations_of(b"no schema")
    frozenset()
    """
    try:
        return _durations(base64.b64decode(encoded, validate=True))
    except (binascii.Error, struct.error, UnicodeDecodeError, ValueError):
        return frozenset()


def _durations(message: bytes) -> frozenset[str]:
    start = 8 if message[:4] == b"\xff\xff\xff\xff" else 4  # the length stands in front
    root = start + _number("<I", message, start)
    schema = _table(message, root, HEADER)
    fields = _table(message, schema, FIELDS)
    found = set()
    for k in range(_number("<I", message, fields)):
        place = fields + 4 + 4 * k
        field = place + _number("<I", message, place)
        kind = _member(message, field, TYPE_KIND)
        if kind is not None and message[kind] == DURATION:
            name = _table(message, field, NAME)
            size = _number("<I", message, name)
            found.add(message[name + 4 : name + 4 + size].decode())
    return frozenset(found)


def _table(message: bytes, table: int, member: int) -> int:
    """Where a member that is stored elsewhere (a table, a vector, a text) begins."""
    place = _member(message, table, member)
    if place is None:
        raise ValueError("a member is missing")
    return place + _number("<I", message, place)


def _member(message: bytes, table: int, member: int) -> int | None:
    """Where a member of a table is, None if it was left out."""
    offsets = table - _number("<i", message, table)
    place = 4 + 2 * member
    if place >= _number("<H", message, offsets):
        return None
    offset = _number("<H", message, offsets + place)
    return table + offset if offset else None


def _number(form: str, message: bytes, place: int) -> int:
    if place < 0:
        raise ValueError("beyond the message")
    return int(struct.unpack_from(form, message, place)[0])
