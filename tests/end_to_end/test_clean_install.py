"""A wheel from the source archive works alone: required packages only, compiler or not.

The environment holds rocwise's wheel and links to numpy, scipy and narwhals, no more; so these
tests need no network, and an extra that crept into the core would be missed at once.
"""

import gzip
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

import rocwise as rw

ROOT = Path(__file__).parents[2]
REQUIRED = ["numpy", "scipy", "narwhals"]
AREA = "import rocwise as rw; print(rw.auc([0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7]).value)"


def build_sdist(folder: Path) -> Path:
    """The source archive, made from a copy so that the checkout's own build is left alone."""
    source = folder / "source"
    source.mkdir()
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT / "src", source / "src", ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "LICENSES.md"):
        shutil.copy(ROOT / name, source)
    build = f"import setuptools.build_meta as backend; backend.build_sdist({str(folder)!r})"
    quietly([sys.executable, "-c", build], cwd=source)
    (archive,) = folder.glob("*.tar.gz")
    return archive


def build_wheel(unpacked: Path, folder: Path, compiler: str) -> Path:
    """A wheel from the unpacked archive, with the build tools of this environment."""
    shutil.rmtree(unpacked / "build", ignore_errors=True)  # of another compiler
    build = f"import setuptools.build_meta as backend; backend.build_wheel({str(folder)!r})"
    environment = os.environ | {"CC": compiler, "CXX": compiler}
    quietly([sys.executable, "-c", build], cwd=unpacked, env=environment)
    (wheel,) = folder.glob("*.whl")
    return wheel


def hasty_compiler(folder: Path) -> str:
    """The compiler, without optimisation: four times as fast, and no number depends on it."""
    script = folder / "cc"
    script.write_text(f'#!/bin/sh\nexec {os.environ.get("CC", "cc")} "$@" -O0\n')
    script.chmod(0o755)
    return str(script)


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
        quietly([*command, "--no-index", "--no-deps", "--no-compile", str(wheel)])
        self.elsewhere = folder

    def run(
        self, *command: str, check: bool = True, requested: str = ""
    ) -> subprocess.CompletedProcess[str]:
        clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        return subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=self.elsewhere,
            env=clean,
            input=requested,
            capture_output=True,
            text=True,
            check=check,
        )


pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="links and paths of a Unix environment"
)


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, unpacked; C files that are made there serve every build."""
    folder = tmp_path_factory.mktemp("sdist")
    shutil.unpack_archive(build_sdist(folder), folder / "unpacked", filter="data")
    (root,) = (folder / "unpacked").iterdir()
    assert not list(root.rglob("*.c")), "generated sources need not travel"
    return root


@pytest.fixture(scope="module")
def wheel(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = hasty_compiler(tmp_path_factory.mktemp("compiler"))
    return build_wheel(unpacked, tmp_path_factory.mktemp("wheel"), compiler)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("installed"), wheel)


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "rocwise/py.typed" in names
    assert "rocwise/kernels/sort.py" in names
    assert "rocwise/kernels/compiled/draws.pxd" in names
    stubs = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("*.pyi")}
    assert "rocwise/__init__.pyi" in stubs, "the list of public names is read at run time"
    assert stubs <= set(names)
    assert not [n for n in names if n.endswith(".c")], "generated sources need not travel"
    assert [n for n in names if n.endswith("licenses/LICENSES.md")], "of what is bundled"
    strangers = [n for n in names if not n.startswith(("rocwise/", "rocwise-"))]
    assert strangers == []


def test_area_from_a_clean_install(installed: Environment) -> None:
    assert float(installed.run("python", "-c", AREA).stdout) == pytest.approx(11 / 12)


def test_command_line_from_a_clean_install(installed: Environment) -> None:
    assert "usage" in installed.run("rocwise", "--help").stdout.lower()
    assert "kernels: compiled" in installed.run("rocwise", "--version").stdout


def test_environment_lacks_the_extras(installed: Environment) -> None:
    assert installed.run("python", "-c", "import matplotlib", check=False).returncode != 0


EXTRAS = {
    "plot": "rw.roc(Y, S).plot()",
    "plot of several": "rw.compare(Y, {'a': S, 'b': S[::-1]}).plot()",
    "plot to a file": "from rocwise.plotting import save; save(rw.roc(Y, S), 'x.svg')",
    "files: Parquet": "rw.auc('x.parquet', label='ill', score='a')",
    "files: Zstandard": "rw.auc('x.csv.zst', label='ill', score='a')",
    "files beyond memory": "rw.auc('x.parquet', label='ill', score='a', memory_limit='100MB')",
    "models: data": "from rocwise.datasets import breast_cancer_scores; breast_cancer_scores()",
    "studio": "rw.studio()",
    "studio of a file": "rw.studio('x.csv')",
    "spark: a job": "from rocwise.engines.spark import job; job(None, 'x').__enter__()",
} | {f"models: {name}": f"rw.estimators.{name}" for name in rw.estimators.__all__}
WITHOUT_EXTRAS = """
import json, rocwise as rw
Y, S = [0, 0, 0, 1, 1], [1, 2, 4, 3, 5]
open("x.csv", "w").write("ill,a\\n0,1\\n0,3\\n1,2\\n1,4\\n")
for name in ("x.parquet", "x.csv.zst"):
    open(name, "wb").write(b"PAR1")
messages = {}
for name, code in json.loads(input()).items():
    try:
        exec(code)
        messages[name] = "no error"
    except rw.errors.MissingPackageError as problem:
        messages[name] = str(problem)
print(json.dumps(messages))
"""


def test_every_missing_extra_is_named_with_its_remedy(installed: Environment) -> None:
    done = installed.run("python", "-c", WITHOUT_EXTRAS, requested=json.dumps(EXTRAS))
    messages = json.loads(done.stdout)
    assert messages.keys() == EXTRAS.keys()
    for name, sentence in messages.items():
        extra = re.match(r"\w+", name)[0]  # type: ignore[index]
        assert f"pip install 'rocwise[{extra}]'" in sentence, name


@pytest.mark.parametrize(
    ("extra", "command"),
    [
        ("plot", "auc x.csv --label ill --score a --plot x.svg"),
        ("files", "auc x.parquet --label ill --score a"),
        ("models", "demo"),
        ("studio", "studio x.csv"),
    ],
)
def test_commands_name_the_missing_extra(installed: Environment, extra: str, command: str) -> None:
    (installed.elsewhere / "x.csv").write_text("ill,a\n0,1\n0,3\n1,2\n1,4\n")
    (installed.elsewhere / "x.parquet").write_bytes(b"PAR1")
    done = installed.run("rocwise", *command.split(), check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert f"pip install 'rocwise[{extra}]'" in done.stderr
    assert extra != "plot" or not done.stdout, "raised after the work"


def test_without_extras_there_are_tables_reports_and_compressed_text(
    installed: Environment,
) -> None:
    rows = "ill,a\n0,1\n0,3\n1,2\n1,4\n"
    (installed.elsewhere / "y.csv.gz").write_bytes(gzip.compress(rows.encode()))
    options = ["y.csv.gz", "--label", "ill", "--score", "a"]
    assert "0.75" in installed.run("rocwise", "auc", *options).stdout
    installed.run("rocwise", "report", *options, "-o", "report.html")
    assert (installed.elsewhere / "report.html").stat().st_size > 50_000


def test_installs_and_works_without_a_compiler(unpacked: Path, tmp_path: Path) -> None:
    wheel = build_wheel(unpacked, tmp_path / "wheel", "false")
    assert not [n for n in zipfile.ZipFile(wheel).namelist() if n.endswith((".so", ".pyd"))]
    environment = Environment(tmp_path / "installed", wheel)
    assert float(environment.run("python", "-c", AREA).stdout) == pytest.approx(11 / 12)
    assert "kernels: numpy" in environment.run("rocwise", "--version").stdout
