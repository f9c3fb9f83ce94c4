"""What models are called on the page: data and results have keys, the page inserts the names."""

import json
import os
import re
import secrets
from collections.abc import Sequence
from typing import Any

OWN = os.environ.setdefault("ROCWISE_STUDIO_KEYS", secrets.token_hex(4))  # in no data; for workers
KEY = re.compile(rf"⟦{OWN} (\d+)⟧")
LONGEST_NAME = 120


def key_of(place: int) -> str:
    """The key of a model."""
    return f"⟦{OWN} {place}⟧"


def named(plain: Any, names: Sequence[str]) -> Any:
    r"""The same plain values with names in place of keys, whatever the names hold.

    >>> named({"text": f"Midpoint of {key_of(0)}: 1", key_of(1): 2}, ["⟦1⟧", 'it\'s "b"'])
    {'text': 'Midpoint of ⟦1⟧: 1', 'it\'s "b"': 2}
    """

    def name(found: re.Match[str]) -> str:
        place = int(found[1])
        return json.dumps(names[place])[1:-1] if place < len(names) else found[0]

    text = json.dumps(plain, ensure_ascii=False)
    return json.loads(KEY.sub(name, text))


def checked_name(given: str, place: Any, names: Sequence[str], columns: Sequence[str]) -> list[str]:
    """All names after one of them was changed; no name at all brings that of the column back."""
    if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < len(names):
        raise ValueError("There is no such model.")
    plain = "".join(sign for sign in given if sign.isprintable()).strip()[:LONGEST_NAME]
    name = plain or columns[place]
    if name in [*names[:place], *names[place + 1 :]]:
        raise ValueError(f"Another model is called {name!r} already.")
    return [*names[:place], name, *names[place + 1 :]]
