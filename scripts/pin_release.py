"""Pins what builds a release: every requirements/*.in to its *.txt, by version and hash.

pip resolves, as it would for an installation here. Files that are for one platform or one Python
are then resolved for all others that wheels are built for, so that one list serves them
all; nothing is installed.
"""

import json
import re
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "requirements"
HEAD = """\
# Made by scripts/pin_release.py from {name}.in: do not edit.
# Install with: pip install --require-hashes -r requirements/{name}.txt
"""
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.14t")  # "t": without the interpreter's lock
PLATFORMS = (
    "manylinux_2_28_x86_64",
    "manylinux_2_28_aarch64",
    "musllinux_1_2_x86_64",
    "musllinux_1_2_aarch64",
    "macosx_11_0_arm64",
    "macosx_14_0_arm64",
    "macosx_10_15_x86_64",
    "macosx_14_0_x86_64",
    "win_amd64",
    "win_arm64",
)
Pins = dict[str, tuple[str, set[str]]]


def resolved(source: Path) -> tuple[Pins, set[str]]:
    """Versions and hashes of the files that pip would take here; which are for here alone."""
    pins, here_only = {}, set()
    for name, version, digest, file in _resolved(["-r", str(source)]):
        pins[name] = (version, {digest})
        if not file.endswith("-none-any.whl"):
            here_only.add(name)
    return pins, here_only


def elsewhere(wanted: list[str], python: str, platform: str) -> list[tuple[str, str]]:
    """Names and hashes of files for another platform; each alone where not all have one."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--no-deps", "--only-binary=:all:", "--target", folder]
        options += ["--platform", platform, "--python-version", python.rstrip("t")]
        if python.endswith("t"):
            options += ["--implementation", "cp", "--abi", f"cp{python.replace('.', '')}"]
        try:
            return [(name, digest) for name, _, digest, _ in _resolved([*options, *wanted])]
        except subprocess.CalledProcessError:
            if len(wanted) == 1:
                return []
    return [found for each in wanted for found in elsewhere([each], python, platform)]


def _resolved(words: list[str]) -> list[tuple[str, str, str, str]]:
    """Name, version, hash and file of what pip would install."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
    done = subprocess.run([*command, "--report", "-", *words], check=True, capture_output=True)
    found = []
    for each in json.loads(done.stdout)["install"]:
        about: dict[str, Any] = each["metadata"]
        file = each["download_info"]
        name = re.sub(r"[-_.]+", "-", about["name"]).lower()
        digest = f"sha256:{file['archive_info']['hashes']['sha256']}"
        found.append((name, about["version"], digest, file["url"].rpartition("/")[2]))
    return found


def pinned(text: str) -> Pins:
    """The pins of a release.txt."""
    found = {}
    for block in re.split(r"\n(?=\S)", text.replace("\\\n", " ")):
        match = re.match(r"([\w.-]+)==(\S+)", block)
        if match:
            hashes = set(re.findall(r"--hash=(sha256:[0-9a-f]{64})", block))
            found[match[1]] = (match[2], hashes)
    return found


def written(pins: Pins, name: str = "release") -> str:
    """The text of the list of that name."""
    lines = [HEAD.format(name=name)]
    for package in sorted(pins):
        version, hashes = pins[package]
        options = " \\\n".join(f"    --hash={digest}" for digest in sorted(hashes))
        lines.append(f"{package}=={version} \\\n{options}\n")
    return "".join(lines)


def pin(source: Path) -> None:
    """Resolve one list here, and gather the hashes of the same versions for everywhere else."""
    target = source.with_suffix(".txt")
    before = pinned(target.read_text(encoding="utf-8")) if target.exists() else {}
    pins, here_only = resolved(source)
    for name, (version, hashes) in pins.items():
        if before.get(name, ("", set()))[0] == version:
            hashes |= before[name][1]
    wanted = [f"{name}=={pins[name][0]}" for name in sorted(here_only)]
    for python, platform in product(PYTHONS, PLATFORMS) if wanted else ():
        for name, digest in elsewhere(wanted, python, platform):
            pins[name][1].add(digest)
        print(f"{source.stem}: Python {python} on {platform}", flush=True)
    target.write_text(written(pins, source.stem), encoding="utf-8")
    counts = ", ".join(f"{name} {len(hashes)}" for name, (_, hashes) in sorted(pins.items()))
    print(f"files pinned in {target.name}: {counts}")


def main() -> None:
    """Pin every list, or those that are named."""
    names = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.in"))
    for name in names:
        pin(FOLDER / f"{name}.in")


if __name__ == "__main__":
    main()
