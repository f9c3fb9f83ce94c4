"""A wheel from the source archive works alone: required packages only, compiler or not.

The environment holds rocwise's wheel and links to numpy, scipy and narwhals, no more; so these
tests need no network, and an extra that crept into the core would be missed at once.
"""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
REQUIRED = ["numpy", "scipy", "narwhals"]
AREA = "import rocwise as rw; print(rw.auc([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7]).value)"


def build_sdist(folder: Path) -> Path:
    """The source archive, made from a copy so that the checkout's own build is left alone."""
    source = folder / "source"
    source.mkdir()
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT / "src", source / "src", ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = f"import setuptools.build_meta as backend; backend.build_sdist({str(folder)!r})"
    quietly([sys.executable, "-c", build], cwd=source)
    (archive,) = folder.glob("*.tar.gz")
    return archive


def build_wheel(sdist: Path, folder: Path, **environment: str) -> Path:
    """A wheel from the source archive, with the build tools of this environment."""
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--wheel-dir", str(folder), str(sdist)]
    quietly(command, env=os.environ | environment)
    (wheel,) = folder.glob("*.whl")
    return wheel


def quietly(command: list[str], **options: Any) -> None:
    """Run a command; what it printed is shown only when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr


def link_package(name: str, site_packages: Path) -> None:
    """Make one installed distribution visible in another environment."""
    distribution = importlib.metadata.distribution(name)
    home = Path(str(distribution.locate_file("")))
    tops = {path.parts[0] for path in distribution.files or [] if path.parts[0] != ".."}
    for top in tops - {"__pycache__"}:
        (site_packages / top).symlink_to(home / top)


class Environment:
    """A virtual environment with the wheel and the required packages."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv.create(folder, with_pip=False)
        self.bin = folder / "bin"
        (site_packages,) = (folder / "lib").glob("python*/site-packages")
        for name in REQUIRED:
            link_package(name, site_packages)
        command = [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), "install"]
        quietly([*command, "--no-index", "--no-deps", str(wheel)])
        self.elsewhere = folder

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        return subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=self.elsewhere,
            env=clean,
            capture_output=True,
            text=True,
            check=check,
        )


pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="links and paths of a Unix environment"
)


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_sdist(tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(sdist, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("installed"), wheel)


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "rocwise/py.typed" in names
    assert "rocwise/kernels/plain/sorting.py" in names
    assert "rocwise/kernels/compiled/wide.h" in names
    stubs = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("*.pyi")}
    assert "rocwise/__init__.pyi" in stubs, "the list of public names is read at run time"
    assert stubs <= set(names)
    assert not [n for n in names if n.endswith(".c")], "generated sources need not travel"
    strangers = [n for n in names if not n.startswith(("rocwise/", "rocwise-"))]
    assert strangers == []


def test_area_from_a_clean_install(installed: Environment) -> None:
    assert float(installed.run("python", "-c", AREA).stdout) == pytest.approx(11 / 12)


def test_command_line_from_a_clean_install(installed: Environment) -> None:
    assert "usage" in installed.run("rocwise", "--help").stdout.lower()


def test_environment_lacks_the_extras(installed: Environment) -> None:
    assert installed.run("python", "-c", "import matplotlib", check=False).returncode != 0


def test_missing_extra_is_named_with_its_remedy(installed: Environment) -> None:
    draw = "import rocwise as rw; rw.roc([0, 1, 0, 1], [1, 2, 3, 4]).plot()"
    done = installed.run("python", "-c", draw, check=False)
    assert done.returncode != 0
    assert "pip install 'rocwise[plot]'" in done.stderr


def test_no_compiler_still_installs_and_answers(sdist: Path, tmp_path: Path) -> None:
    wheel = build_wheel(sdist, tmp_path / "wheel", CC="false", CXX="false")
    assert not [n for n in zipfile.ZipFile(wheel).namelist() if n.endswith((".so", ".pyd"))]
    environment = Environment(tmp_path / "installed", wheel)
    assert float(environment.run("python", "-c", AREA).stdout) == pytest.approx(11 / 12)
    assert "kernels: numpy" in environment.run("rocwise", "--version").stdout
