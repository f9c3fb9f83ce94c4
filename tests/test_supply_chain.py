"""Pinned build tools, the bill of materials and the list of licences agree with the project."""

import json
import re
import tomllib

import pytest

from test_release import ROOT, script


def test_every_build_tool_is_pinned_with_a_hash():
    pins = script("pin_release").pinned((ROOT / "requirements" / "release.txt").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed = {re.match(r"[\w-]+", each)[0].lower() for each in project["build-system"]["requires"]}
    assert needed <= pins.keys()
    assert all(hashes for _, hashes in pins.values())


@pytest.mark.parametrize("name", ["audit", "release", "wheels"])
def test_what_a_list_asks_for_is_pinned(name):
    requested = (ROOT / "requirements" / f"{name}.in").read_text()
    pins = script("pin_release").pinned((ROOT / "requirements" / f"{name}.txt").read_text())
    assert {each.lower() for each in re.findall(r"^[\w-]+", requested, re.M)} <= pins.keys()
    assert len(list((ROOT / "requirements").glob("*.in"))) == 3


def test_files_of_every_platform_are_pinned():
    module = script("pin_release")
    pins = module.pinned((ROOT / "requirements" / "release.txt").read_text())
    everywhere = len(module.PYTHONS) * len(module.PLATFORMS)
    assert len(pins["numpy"][1]) >= 0.9 * everywhere  # one file for each Python and platform
    assert "colorama" in pins  # `build` needs it on Windows, which other platforms do not show


def test_pins_name_no_index():
    for file in (ROOT / "requirements").iterdir():
        assert "://" not in file.read_text()
        assert "--index" not in file.read_text()


def test_pins_read_back_as_they_were_written():
    module = script("pin_release")
    pins = {
        "a": ("1.0", {"sha256:" + "0" * 64, "sha256:" + "1" * 64}),
        "b-c": ("2", {"sha256:" + "f" * 64}),
    }
    assert module.pinned(module.written(pins)) == pins


def test_the_bill_of_materials_is_cyclonedx():
    bill = script("sbom").bill()
    assert bill["bomFormat"] == "CycloneDX"
    names = {part["name"] for part in bill["components"]}
    assert {"numpy", "scipy", "narwhals", "matplotlib", "duckdb", "scikit-learn"} <= names
    assert json.loads(json.dumps(bill)) == bill
    assert bill == script("sbom").bill()


def test_licences_of_bundled_parts_are_listed():
    words = (ROOT / "LICENSES.md").read_text()
    bundled = script("sbom").bundled_page()
    if not bundled:
        pytest.skip("the page is not built from here")
    for part in bundled:
        assert part["name"] in words, part


def test_security_checks_name_their_targets():
    makefile = (ROOT / "Makefile").read_text()
    policy = (ROOT / "SECURITY.md").read_text().replace("\n", " ")
    targets = re.findall(r"`make ([a-z]+)`", policy)
    assert targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.M), target
