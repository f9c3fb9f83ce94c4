"""One column of anything: arrays, lists, series, tensors."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocwise as rw
from rocwise.inputs.vectors import as_vector

Y = [0, 1, 0, 1, 1]
S = [3, 1, 4, 1, 5]
COUNTED = ([5.0, 4.0, 3.0, 1.0], [1, 0, 0, 2], [0, 1, 1, 0])


class DlpackOnly:
    """The least that another array library offers: DLPack and nothing else."""

    def __init__(self, values):
        self._values = np.asarray(values)

    def __dlpack__(self, **options):
        return self._values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._values.__dlpack_device__()


def counted(y, s, **options):
    tally = rw.tally(y, s, **options)
    return tally.scores.tolist(), tally.pos.tolist(), tally.neg.tolist()


def strided(values):
    wide = np.zeros(2 * len(values))
    wide[::2] = values
    return wide[::2]


def frozen(values):
    array = np.array(values, dtype=float)
    array.flags.writeable = False
    return array


HOLDERS = {
    "list": list,
    "tuple": tuple,
    "contiguous array": np.array,
    "strided array": strided,
    "reversed array": lambda values: np.array(values[::-1])[::-1],
    "column of a matrix": lambda values: np.array([values, values], order="C").T[:, 0],
    "read-only array": frozen,
    "objects": lambda values: np.array(values, dtype=object),
    "masked array without a mask": np.ma.masked_array,
    "DLPack": DlpackOnly,
    "pandas series": pd.Series,
    "pandas index": pd.Index,
    "pandas array": pd.array,
    "pandas Int64": lambda values: pd.Series(values, dtype="Int64"),
    "pandas Float32": lambda values: pd.Series(values, dtype="Float32"),
    "pandas on arrow": lambda values: pd.Series(values, dtype="double[pyarrow]"),
    "pandas categorical": lambda values: pd.Series(pd.Categorical(values)),
    "pandas ordered categorical": lambda values: pd.Series(pd.Categorical(values, ordered=True)),
    "bare ordered categorical": lambda values: pd.Categorical(values, ordered=True),
    "pandas series with an index": lambda values: pd.Series(values, index=[9, 8, 7, 6, 5]),
    "polars series": pl.Series,
    "polars enum": lambda values: pl.Series(
        [str(v) for v in values], dtype=pl.Enum(["0", "1", "2", "3", "4", "5"])
    ),
    "pyarrow array": pa.array,
    "pyarrow chunked array": lambda values: pa.chunked_array([values[:2], values[2:]]),
    "pyarrow dictionary": lambda values: pa.array(values).dictionary_encode(),
}


@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_scores_of_any_kind(holder):
    assert counted(Y, holder(S)) == COUNTED


@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_labels_of_any_kind(holder):
    text = holder is HOLDERS["polars enum"]
    assert counted(holder(Y), S, pos_label="1" if text else None) == COUNTED


@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_weights_of_any_kind(holder):
    weights = holder([1, 2, 3, 4, 5])
    if holder in (HOLDERS[f"{kind} ordered categorical"] for kind in ("pandas", "bare")) or (
        holder is HOLDERS["polars enum"]
    ):
        with pytest.raises(rw.InputError, match="must contain numbers; got the categories"):
            rw.tally(Y, S, sample_weight=weights)
        return
    tally = rw.tally(Y, S, sample_weight=weights)
    assert (tally.n_pos, tally.n_neg) == (11.0, 4.0)


def test_a_range_is_a_sequence():
    assert counted([0, 1, 0, 1], range(4)) == ([3.0, 2.0, 1.0, 0.0], [1, 0, 1, 0], [0, 1, 0, 1])
    assert rw.tally(range(2), range(2)).n_pos == 1


def test_torch_tensors():
    torch = pytest.importorskip("torch")
    scores = torch.tensor(S, dtype=torch.float32, requires_grad=True)
    assert counted(torch.tensor(Y), scores) == COUNTED
    assert counted(torch.tensor(Y, dtype=torch.bool), scores) == COUNTED
    for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int32, torch.uint8):
        assert counted(Y, torch.tensor(S).to(dtype)) == COUNTED
    pairs = rw.pair(torch.tensor(Y), torch.stack([scores, -scores], dim=1))
    assert pairs.scores("model 2").tolist() == [-v for v in S]


def test_torch_tensors_that_numpy_does_not_take():
    torch = pytest.importorskip("torch")
    scores = torch.tensor(S, dtype=torch.float32)
    assert counted(Y, torch._neg_view(-scores)) == COUNTED
    assert counted(Y, torch.complex(-scores, -scores).conj().imag) == COUNTED
    for name in ("float8_e4m3fn", "float8_e5m2"):
        assert counted(Y, scores.to(getattr(torch, name))) == COUNTED
    assert counted(Y, list(scores)) == COUNTED
    with pytest.raises(rw.InputError, match="`y_score` cannot be read as an array: Cannot copy"):
        rw.tally(Y, scores.to("meta"))
    with pytest.raises(rw.InputError, match="`y_score` cannot be read as an array: can't convert"):
        rw.tally(Y, scores.to_sparse())


def test_several_classes_and_forecasts_of_torch():
    torch = pytest.importorskip("torch")
    rows = torch.softmax(torch.arange(18.0).reshape(6, 3) % 5, 1)
    classes = torch.tensor([0, 1, 2, 0, 1, 2])
    area = rw.multiclass.auc(classes, rows)
    assert area.value == rw.multiclass.auc(classes.numpy(), rows.numpy()).value
    curve = rw.regression.rec(rows[:, 0], rows[:, 1].requires_grad_())
    assert curve.aoc == rw.regression.rec(rows[:, 0].numpy(), rows[:, 1].detach().numpy()).aoc
    given = {"sample_weight": torch.ones(5), "groups": torch.tensor([0, 1, 2, 3, 4])}
    assert rw.tally(torch.tensor(Y), torch.tensor(S), **given).n_pos == 3


def test_jax_arrays():
    numpy_like = pytest.importorskip("jax.numpy")
    for kind in ("float32", "bfloat16", "float16", "int32", "float8_e4m3fn"):
        assert counted(numpy_like.array(Y), numpy_like.array(S, kind)) == COUNTED


class OnDevice:
    """An array on another device, which DLPack copies where a processor requires it."""

    copies = 0

    def __init__(self, values):
        self._values = np.asarray(values)

    def __dlpack_device__(self):
        return 2, 0  # the first CUDA device

    def __dlpack__(self, *, dl_device=None, copy=None, **options):
        if dl_device != (1, 0) or copy is not True:
            raise BufferError("the data are on a device")
        type(self).copies += 1
        return self._values.__dlpack__(**options)


class Cupy:
    """An array of CuPy, which numpy may not convert by itself."""

    __cuda_array_interface__ = None

    def __init__(self, values):
        self._values = np.asarray(values)

    def get(self):
        return self._values

    def __array__(self, *_, **__):
        raise TypeError("Implicit conversion to a NumPy array is not allowed.")


class TorchOnDevice:
    """A tensor on a device: numpy takes it after `cpu` alone."""

    is_floating_point = resolve_neg = resolve_conj = detach = lambda self: self
    dtype = "torch.float32"

    def __init__(self, values):
        self._values = np.asarray(values)

    def cpu(self):
        here = TorchOnDevice(self._values)
        here.__class__ = TorchHere
        return here

    def __array__(self, *_, **__):
        raise TypeError("can't convert cuda:0 device type tensor to numpy.")


class TorchHere(TorchOnDevice):
    def __array__(self, *_, **__):
        return self._values


@pytest.mark.parametrize("library", [OnDevice, Cupy, TorchOnDevice])
def test_arrays_on_a_device_are_copied_once(library):
    if library is OnDevice and np.lib.NumpyVersion(np.__version__) < "2.1.0":
        pytest.skip("numpy copies from devices since 2.1")
    OnDevice.copies = 0
    assert counted(library(Y), library(S)) == COUNTED
    assert OnDevice.copies == (2 if library is OnDevice else 0)
    both = np.stack([S, S], axis=1)
    assert rw.pair(library(Y), library(both)).names == ("model 1", "model 2")


def test_a_device_that_copies_nothing_is_named():
    class Fixed(OnDevice):
        def __dlpack__(self, **_):
            raise BufferError("the data are on a device")

    with pytest.raises(rw.InputError, match="`y_score` cannot be read as an array: the data are"):
        rw.tally(Y, Fixed(S))


def test_small_floats_of_other_libraries():
    types = pytest.importorskip("ml_dtypes")
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        assert counted(Y, np.array(S).astype(getattr(types, name))) == COUNTED


def test_dlpack_of_booleans():
    assert counted(DlpackOnly(np.array(Y, dtype=bool)), S) == COUNTED


MISSING = {
    "masked array": np.ma.masked_array([3.0, 1.0, 4.0, 1.0, 5.0], [0, 0, 1, 0, 0]),
    "masked integers": np.ma.masked_array([3, 1, 4, 1, 5], [0, 0, 1, 0, 0]),
    "nan": np.array([3, 1, math.nan, 1, 5]),
    "float32 nan": np.array([3, 1, math.nan, 1, 5], np.float32),
    "float16 nan": np.array([3, 1, math.nan, 1, 5], np.float16),
    "strided nan": strided([3, 1, math.nan, 1, 5]),
    "big-endian nan": np.array([3, 1, math.nan, 1, 5], ">f8"),
    "None in a list": [3, 1, None, 1, 5],
    "NaN in a list": [3, 1, math.nan, 1, 5],
    "None among objects": np.array([3, 1, None, 1, 5], dtype=object),
    "pandas float": pd.Series([3, 1, None, 1, 5]),
    "pandas Int64": pd.Series([3, 1, None, 1, 5], dtype="Int64"),
    "pandas Float64": pd.Series([3, 1, None, 1, 5], dtype="Float64"),
    "pandas on arrow": pd.Series([3, 1, None, 1, 5], dtype="int64[pyarrow]"),
    "pandas objects": pd.Series([3, 1, pd.NA, 1, 5], dtype=object),
    "pandas categorical": pd.Series(pd.Categorical([3, 1, None, 1, 5], ordered=True)),
    "polars null": pl.Series([3, 1, None, 1, 5]),
    "polars NaN": pl.Series([3.0, 1.0, math.nan, 1.0, 5.0]),
    "polars enum": pl.Series(["3", "1", None, "1", "5"], dtype=pl.Enum(["1", "3", "5"])),
    "pyarrow null": pa.array([3, 1, None, 1, 5]),
    "pyarrow chunks": pa.chunked_array([[3, 1, None], [1, 5]]),
}


@pytest.mark.parametrize("scores", MISSING.values(), ids=MISSING)
def test_missing_scores_are_found_in_any_kind(scores):
    with pytest.raises(rw.InputError, match=r"`y_score` has 1 missing value \(first at row 2\)"):
        rw.tally(Y, scores)
    tally = rw.tally(Y, scores, missing="drop")
    assert tally.scores.tolist() == [5.0, 3.0, 1.0]
    assert tally.pos.tolist() == [1, 0, 2]
    assert (tally.n_dropped, tally.n_neg) == (1, 1)


MISSING_LABELS = {
    "masked array": np.ma.masked_array([0, 1, 1, 1], [0, 0, 1, 0]),
    "floats": [0, 1, math.nan, 1],
    "objects": [0, 1, None, 1],
    "booleans": [False, True, None, True],
    "pandas boolean": pd.Series([False, True, None, True], dtype="boolean"),
    "polars booleans": pl.Series([False, True, None, True]),
    "pyarrow booleans": pa.array([False, True, None, True]),
}


@pytest.mark.parametrize("labels", MISSING_LABELS.values(), ids=MISSING_LABELS)
def test_missing_labels_are_found_in_any_kind(labels):
    with pytest.raises(rw.InputError, match=r"`y_true` has 1 missing value \(first at row 2\)"):
        rw.tally(labels, [1, 2, 3, 4])
    assert counted(labels, [1, 2, 3, 4], missing="drop") == ([4.0, 2.0, 1.0], [1, 1, 0], [0, 0, 1])


def test_null_and_nan_of_polars_are_both_missing():
    tally = rw.tally(Y, pl.Series([1.0, math.nan, 1.0, None, 5.0]), missing="drop")
    assert tally.n_dropped == 2
    assert (tally.scores.tolist(), tally.neg.tolist()) == ([5.0, 1.0], [0, 2])


@pytest.mark.parametrize(
    "scores",
    [
        pd.Series([0.1, 0.2, None, 0.4], dtype="float32"),
        pd.Series([0.1, 0.2, None, 0.4], dtype="Float32"),
        pd.Series([0.1, 0.2, None, 0.4], dtype="float[pyarrow]"),
        pl.Series([0.1, 0.2, None, 0.4], dtype=pl.Float32),
        pa.array([0.1, 0.2, None, 0.4], pa.float32()),
        np.ma.masked_array(np.array([0.1, 0.2, 0.3, 0.4], np.float32), [0, 0, 1, 0]),
    ],
    ids=["pandas", "Float32", "arrow in pandas", "polars", "pyarrow", "masked"],
)
def test_gaps_do_not_change_the_precision(scores):
    tally = rw.tally([0, 1, 0, 1], scores, missing="drop")
    assert tally.scores.dtype == np.float32
    assert tally.scores.tolist() == np.array([0.4, 0.2, 0.1], np.float32).tolist()


def test_large_integers_survive_gaps():
    large = [2**53 + 1, None, 2**53 + 2, 2**53 + 3]
    for scores in (pd.Series(large, dtype="Int64"), pl.Series(large), pa.array(large), large):
        tally = rw.tally([0, 1, 0, 1], scores, missing="drop")
        assert tally.scores.tolist() == [2**53 + 3, 2**53 + 2, 2**53 + 1]


def test_the_name_and_the_kind_of_frame_are_remembered():
    origin = rw.tally(Y, pd.Series(S, name="risk")).origin
    assert (origin.name, origin.frame) == ("risk", "pandas")
    assert rw.tally(Y, pl.Series("risk", S)).origin.frame == "polars"
    assert rw.tally(pa.array(Y), S).origin.frame == "pyarrow"
    origin = rw.tally(Y, S).origin
    assert (origin.name, origin.frame) == (None, None)


def test_the_users_arrays_are_left_alone():
    y, s = np.array(Y), np.array([0.0, -0.0, 2.0, 1.0, 3.0])
    before = s.copy()
    rw.roc(rw.tally(y, s))
    rw.roc(rw.tally(y, s, direction="lower", resolution=2))
    assert s.tobytes() == before.tobytes()  # not even the sign of -0.0
    assert s.flags.writeable


def test_all_missing():
    for labels in ([None] * 4, pl.Series([None] * 4), pd.Series([None] * 4)):
        with pytest.raises(
            rw.InputError, match=r"`y_true` has 4 missing values \(first at row 0\)"
        ):
            rw.tally(labels, [1, 2, 3, 4])


@pytest.mark.parametrize("kind", [list, tuple])
def test_nan_among_text_is_missing_not_a_label(kind):
    labels = kind(["p", "n", float("nan"), "p"])
    with pytest.raises(rw.InputError, match=r"`y_true` has 1 missing value \(first at row 2\)"):
        rw.tally(labels, [1, 2, 3, 4], pos_label="p")
    kept = rw.tally(labels, [1, 2, 3, 4], pos_label="p", missing="drop")
    assert (kept.n_pos, kept.n_neg, kept.n_dropped) == (2, 1, 1)


def text_forms(texts):
    """The same column as every library has it."""
    return {
        "objects": np.array(texts, dtype=object),
        "pandas objects": pd.Series(texts, dtype=object),
        "pandas text": pd.Series(texts, dtype="str"),
        "pandas categories": pd.Series(pd.Categorical(texts, categories=["z", "no", "yes"])),
        "polars": pl.Series(texts),
        "polars categories": pl.Series(texts, dtype=pl.Categorical),
        "arrow": pa.array(texts),
        "arrow dictionary": pa.chunked_array([pa.array(texts).dictionary_encode()]),
    }


@pytest.mark.parametrize("form", text_forms(["no"]))
@pytest.mark.parametrize("texts", [["yes", "no", "no", "yes"], ["no", None, "yes", "no"]])
def test_encoded_text_equals_the_values(form, texts):
    column = as_vector(text_forms(texts)[form], "y")
    codes, names = column.encoded
    assert column.values.dtype.kind == "U"
    assert np.array_equal(names[codes], column.values)
    assert set(names.tolist()) == {"no", "yes"}
    absent = [text is None for text in texts]
    assert column.missing is None if not any(absent) else column.missing.tolist() == absent
    present = column.kept(~np.array(absent))
    codes, names = present.encoded
    assert names[codes].tolist() == present.values.tolist() == [t for t in texts if t is not None]


@pytest.mark.parametrize("form", text_forms(["no"]))
def test_text_labels_raise_one_sentence(form):
    labels = text_forms(["yes", "no", "z", "yes"])[form]
    with pytest.raises(rw.InputError, match="got 3 distinct labels: 'no', 'yes', 'z'"):
        rw.tally(labels, [1, 2, 3, 4], pos_label="yes")
    with pytest.raises(rw.InputError, match="`pos_label` 'Yes' does not occur"):
        rw.tally(labels, [1, 2, 3, 4], pos_label="Yes")
    with pytest.raises(rw.InputError, match="`pos_label` 1 does not occur"):
        rw.tally(labels, [1, 2, 3, 4], pos_label=1)
