"""What builds, tests and publishes a release agrees with the project and with itself."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from rocwise.about import VERSION

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RELEASE = ROOT / ".github" / "workflows" / "release.yml"


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bounds(lines):
    return {re.match(r"[\w.-]+", line)[0].lower(): line.partition(">=")[2] for line in lines}


def supported_pythons():
    prefix = "Programming Language :: Python :: "
    return [c.removeprefix(prefix) for c in PROJECT["classifiers"] if re.match(prefix + r"3\.", c)]


def test_every_file_has_the_version_of_the_package():
    assert set(script("version").versions().values()) == {VERSION}
    assert script("version").versions().keys() == script("version").PLACES.keys()


def test_a_new_version_goes_into_every_file(tmp_path):
    module = script("version")
    for name in module.PLACES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"))
    module.set_to("7.8.9rc1", tmp_path)
    assert set(module.versions(tmp_path).values()) == {"7.8.9rc1"}


@pytest.mark.parametrize(("tag", "status"), [(f"v{VERSION}", 0), (VERSION, 0), ("v9.9.9", 1)])
def test_a_tag_must_be_the_version(tag, status):
    command = [sys.executable, str(ROOT / "scripts" / "version.py"), tag]
    assert subprocess.run(command, capture_output=True, check=False).returncode == status


def test_wheels_are_built_for_every_python_that_is_supported():
    built = SETTINGS["tool"]["cibuildwheel"]["build"].split()
    for python in supported_pythons():
        assert f"cp{python.replace('.', '')}-*" in built
    pins = script("pin_release")
    assert {f"cp{python.replace('.', '')}-*" for python in pins.PYTHONS} == set(built)


def test_wheels_are_built_with_pinned_tools_and_tested_outside_the_tree():
    settings = SETTINGS["tool"]["cibuildwheel"]
    assert settings["build-frontend"]["args"] == ["--no-isolation"]
    assert "--require-hashes" in settings["before-build"]
    assert "src" not in settings["test-sources"]
    for name in [
        *settings["test-sources"],
        "scripts/test_installed.py",
        "requirements/release.txt",
    ]:
        assert (ROOT / name).exists()
    assert settings["test-groups"][0] in SETTINGS["dependency-groups"]


def test_what_is_tested_of_a_wheel_exists():
    module = script("test_installed")
    files = [*module.ALWAYS, *(file for files in module.WHERE.values() for file in files)]
    assert {file for file in files if not (ROOT / file).exists()} == set()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_use_pinned_actions_and_few_rights(path):
    text = path.read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 120
        for step in job["steps"]:
            if "uses" in step:
                assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"]), step["uses"]
    for name in re.findall(r"(?:scripts|requirements)/[\w.]+", text):
        assert (ROOT / name).exists(), name
    for target in re.findall(r"\bmake (\w+)", text):
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.M), target


def test_only_a_tag_is_published_by_trust_and_after_everything_else():
    jobs = yaml.safe_load(RELEASE.read_text(encoding="utf-8"))["jobs"]
    assert set(jobs["publish"]["needs"]) == jobs.keys() - {"publish"}
    assert "refs/tags/v" in jobs["publish"]["if"]
    assert jobs["publish"]["permissions"]["id-token"] == "write"
    assert all(
        "id-token" not in job.get("permissions", {})
        for name, job in jobs.items()
        if name != "publish"
    )
    assert "--trusted-publishing always" in jobs["publish"]["steps"][-1]["run"]
    assert "secrets." not in RELEASE.read_text(encoding="utf-8")


def test_the_recipe_needs_what_the_package_needs():
    recipe = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8"))
    needed = {
        line.partition(" ")[0]: line.partition(">=")[2] for line in recipe["requirements"]["run"]
    }
    assert needed.pop("python") == PROJECT["requires-python"].removeprefix(">=")
    assert needed == bounds(PROJECT["dependencies"])
    host = {
        line.partition(" ")[0]: line.partition(">=")[2] for line in recipe["requirements"]["host"]
    }
    assert bounds(SETTINGS["build-system"]["requires"]).items() <= host.items()
    names = {"matplotlib-base": "matplotlib", "python-duckdb": "duckdb"}
    optional = bounds(
        line for extra in ("plot", "files", "excel", "word", "models", "studio", "spark")
        for line in PROJECT["optional-dependencies"][extra]
    )  # fmt: skip
    constrained = {}
    for line in recipe["requirements"]["run_constraints"]:
        name, _, bound = line.partition(" >=")
        constrained[names.get(name, name)] = bound
    assert constrained == optional


def test_the_oldest_versions_are_those_of_the_project():
    oldest = script("try_versions").lower_bounds()
    assert bounds(PROJECT["dependencies"]).items() <= oldest.items()
    assert {"pandas", "polars", "pyarrow", "scikit-learn", "duckdb", "matplotlib"} <= oldest.keys()
    assert all(re.fullmatch(r"\d+(\.\d+)*", version) for version in oldest.values())
