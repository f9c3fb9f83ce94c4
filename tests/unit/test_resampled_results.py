"""Every result that rests on resamples has their seed and number, and the seed gives it again."""

import inspect

import pytest

import rocwise as rw
from call_forms import plain
from resampled_calls import CALLS, DRAWN, FORMULAS

NOT_RESAMPLED = {"report"}  # a page, whose settings are in its payload


@pytest.mark.parametrize("name", CALLS)
def test_the_seed_of_a_result_gives_it_again(name: str) -> None:
    first = CALLS[name](**DRAWN)
    assert isinstance(first.seed, int)
    assert first.n_resamples == DRAWN["n_resamples"]
    written = first.to_dict()
    assert (written["seed"], written["n_resamples"]) == (first.seed, first.n_resamples)
    assert repr(first).count(f"100 resamples, seed {first.seed}") == 1
    assert plain(CALLS[name](rng=first.seed, **DRAWN)) == plain(first)


@pytest.mark.parametrize("name", FORMULAS)
def test_what_nothing_was_drawn_for_has_no_seed(name: str) -> None:
    found = FORMULAS[name](rng=1)
    assert found.seed is None
    assert found.n_resamples is None
    assert "seed" not in repr(found)


def test_every_function_with_resamples_is_listed() -> None:
    modules = {"": rw, "multiclass.": rw.multiclass, "ordinal.": rw.ordinal}
    modules |= {"regression.": rw.regression, "readers.": rw.readers}
    found = set()
    for prefix, module in modules.items():
        for name in dir(module):
            value = getattr(module, name)
            if not inspect.isfunction(value) or name.startswith("_"):
                continue
            if "n_resamples" in inspect.signature(value).parameters:
                found.add(f"{prefix}{name}")
    assert found - NOT_RESAMPLED <= {name.split()[0] for name in CALLS}
