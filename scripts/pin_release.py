"""Pins what builds a release: requirements/release.in to release.txt, by version and hash.

pip resolves, as it would for an installation, and tells which files it would take. Hashes are of
the files for the platform it runs on; run it on each platform that builds wheels, and it keeps the
hashes of the same versions that other platforms have added.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "requirements"
HEAD = """\
# Made by scripts/pin_release.py from release.in: do not edit.
# Install with: pip install --require-hashes -r requirements/release.txt
"""


def resolved() -> dict[str, tuple[str, set[str]]]:
    """Name to version and hash of every file that pip would install."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
    command += ["--report", "-", "-r", str(FOLDER / "release.in")]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    found = {}
    for each in report["install"]:
        name = re.sub(r"[-_.]+", "-", each["metadata"]["name"]).lower()
        hashes = each["download_info"]["archive_info"]["hashes"]
        found[name] = (each["metadata"]["version"], {f"sha256:{hashes['sha256']}"})
    return found


def pinned(text: str) -> dict[str, tuple[str, set[str]]]:
    """What a release.txt says."""
    found = {}
    for block in re.split(r"\n(?=\S)", text.replace("\\\n", " ")):
        match = re.match(r"([\w.-]+)==(\S+)", block)
        if match:
            hashes = set(re.findall(r"--hash=(sha256:[0-9a-f]{64})", block))
            found[match[1]] = (match[2], hashes)
    return found


def written(pins: dict[str, tuple[str, set[str]]]) -> str:
    """The text of release.txt."""
    lines = [HEAD]
    for name in sorted(pins):
        version, hashes = pins[name]
        options = " \\\n".join(f"    --hash={digest}" for digest in sorted(hashes))
        lines.append(f"{name}=={version} \\\n{options}\n")
    return "".join(lines)


def main() -> None:
    """Resolve, and keep the hashes that other platforms have added."""
    target = FOLDER / "release.txt"
    before = pinned(target.read_text(encoding="utf-8")) if target.exists() else {}
    pins = resolved()
    for name, (version, hashes) in pins.items():
        if before.get(name, ("", set()))[0] == version:
            hashes |= before[name][1]
    target.write_text(written(pins), encoding="utf-8")
    print(f"{len(pins)} packages pinned in {target.relative_to(Path.cwd())}")


if __name__ == "__main__":
    main()
