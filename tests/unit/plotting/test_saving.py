"""Plots in files."""

import struct
import zlib
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot

import rocwise as rw
from rocwise.plotting import save
from unit.plotting.scored_cases import LABELS, TIED_SCORES


@pytest.fixture(name="curve")
def a_curve():
    return rw.roc(LABELS, TIED_SCORES)


def texts_of_svg(path):
    elements = ElementTree.parse(path).getroot().iter()
    return ["".join(each.itertext()).strip() for each in elements if each.tag.endswith("text")]


def test_an_svg_keeps_its_text_as_text(curve, tmp_path):
    named = {"name": "</svg> & 'm'", "axis": "clinical"}
    assert not any("tied scores" in text for text in texts_of_svg(save(curve, tmp_path / "a.svg")))
    texts = texts_of_svg(save(curve, tmp_path / "roc.svg", caption=True, **named))
    assert "Sensitivity" in texts
    assert "1 − specificity" in texts
    assert f"</svg> & 'm', AUC {curve.auc:.2f}" in texts
    assert any("tied scores" in text for text in texts)


def test_an_svg_is_as_wide_as_a_column_or_a_page(curve, tmp_path):
    measures = rw.thresholds([0, 1, 0, 1], [1, 2, 3, 4])
    for drawn, width, millimetres in (
        (curve, "column", 85),
        (measures, "column", 85),
        (measures, "page", 180),
    ):
        path = save(drawn, tmp_path / f"{width}.svg", width=width)
        points = ElementTree.parse(path).getroot().attrib["width"]
        assert float(points.removesuffix("pt")) == pytest.approx(millimetres / 25.4 * 72, abs=0.01)


def test_a_pdf_has_true_type_fonts(curve, tmp_path):
    content = save(curve, tmp_path / "roc.pdf").read_bytes()
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")
    assert b"/CIDFontType2" in content or b"/TrueType" in content
    assert b"/Type3" not in content


@pytest.mark.parametrize("dpi", [100, 300])
def test_a_png_has_the_resolution_requested(curve, tmp_path, dpi):
    content = save(curve, tmp_path / "roc.PNG", dpi=dpi).read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert width == int(85 / 25.4 * dpi)
    assert 0.9 < height / width < 1.2
    _check_chunks(content)


def _check_chunks(content):
    """Walk through the chunks of a PNG file; each carries a checksum."""
    place, kinds = 8, []
    while place < len(content):
        length, kind = struct.unpack(">I4s", content[place : place + 8])
        body = content[place + 4 : place + 8 + length]
        (checksum,) = struct.unpack(">I", content[place + 8 + length : place + 12 + length])
        assert zlib.crc32(body) == checksum
        kinds.append(kind)
        place += 12 + length
    assert (kinds[0], kinds[-1]) == (b"IHDR", b"IEND")


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_the_same_plot_gives_the_same_bytes(curve, tmp_path, kind):
    first = save(curve, tmp_path / f"first.{kind}").read_bytes()
    assert save(curve, tmp_path / f"second.{kind}").read_bytes() == first


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_saving_leaves_settings_and_figures_alone(curve, tmp_path, kind, settings_of_the_user):
    figures = pyplot.get_fignums()
    save({"a": curve, "b": curve}, tmp_path / f"roc.{kind}")
    assert dict(matplotlib.rcParams) == settings_of_the_user
    assert pyplot.get_fignums() == figures


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "roc.jpeg",
            r"`path` must end in one of \.svg, \.pdf, \.eps, .*; 'roc\.jpeg' has '\.jpeg'",
        ),
        ("roc", r"'roc' has no ending"),
        ("nowhere/roc.svg", "`path` is in a folder that does not exist"),
    ],
)
def test_other_paths_raise(curve, tmp_path, name, message):
    with pytest.raises(rw.InputError, match=message):
        save(curve, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("dpi", [0, -100, float("nan"), "high"])
def test_a_resolution_must_be_a_number_above_0(curve, tmp_path, dpi):
    with pytest.raises(rw.InputError, match="`dpi` must be"):
        save(curve, tmp_path / "roc.png", dpi=dpi)


def test_a_tiff_has_its_resolution_and_no_transparency(curve, tmp_path):
    from PIL import Image

    with Image.open(save(curve, tmp_path / "roc.tiff", dpi=200)) as image:
        assert image.mode == "RGB"
        assert image.info["dpi"] == (200, 200)
        assert image.size[0] == pytest.approx(85 / 25.4 * 200, abs=1)


def test_a_million_points_make_a_small_file_with_the_same_plot(tmp_path):
    rng = np.random.default_rng(0)
    labels = rng.random(300_000) < 0.3
    curve = rw.roc(labels, rng.normal(size=300_000) + labels)
    path = save(curve, tmp_path / "roc.svg")
    assert path.stat().st_size < 400_000
    band = save(rw.band(curve.data, kind="joint-regions"), tmp_path / "band.svg")
    assert band.stat().st_size < 1_000_000
