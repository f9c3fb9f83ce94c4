"""The version, which lives in src/rocwise/about.py, and the files that repeat it for others.

python scripts/version.py          prints it, and fails where a file has another
python scripts/version.py v0.2.0   fails unless it is that one too (as a tag has it)
python scripts/version.py --set 0.2.0
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# the first is the place; the others are for programs that cannot read it there
PLACES = {
    "src/rocwise/about.py": r'^VERSION = "(.+)"$',
    "CITATION.cff": r"^version: (\S+)$",
    "recipe/recipe.yaml": r'^  version: "(.+?)"',
}


def versions(root: Path = ROOT) -> dict[str, str]:
    """The version in each file."""
    found = {}
    for name, pattern in PLACES.items():
        (version,) = re.findall(pattern, (root / name).read_text(encoding="utf-8"), re.M)
        found[name] = version
    return found


def set_to(version: str, root: Path = ROOT) -> None:
    """Write a version into all files."""
    for name, pattern in PLACES.items():
        path = root / name
        text = path.read_text(encoding="utf-8")
        match = re.search(pattern, text, re.M)
        assert match is not None, name
        path.write_text(text[: match.start(1)] + version + text[match.end(1) :], encoding="utf-8")


def main() -> None:
    """Print, check or set the version."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tag", nargs="?", help="what the version should be, with or without a v")
    parser.add_argument("--set", metavar="VERSION", help="write it into all files")
    options = parser.parse_args()
    if options.set:
        if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", options.set):
            sys.exit(f"{options.set} is no version such as 0.2.0 or 1.0.0rc1")
        set_to(options.set)
    found = versions()
    (version, *others) = found.values()
    expected = version if options.tag is None else options.tag.removeprefix("v")
    if {version, expected, *others} != {version}:
        sys.exit(f"expected {expected}, but " + ", ".join(f"{k}: {v}" for k, v in found.items()))
    print(version)


if __name__ == "__main__":
    main()
