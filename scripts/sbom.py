"""Writes what rocwise is made of as CycloneDX JSON: itself, what it needs, what it bundles.

python scripts/sbom.py [FILE]
"""

import hashlib
import json
import re
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NEEDED = ("numpy", "scipy", "narwhals")
OPTIONAL = (
    "matplotlib",
    "duckdb",
    "python-calamine",
    "python-docx",
    "scikit-learn",
    "starlette",
    "uvicorn",
    "pyspark",
)


def python_package(name: str, scope: str) -> dict[str, Any]:
    """A package as it is installed here; without a version where it is not."""
    part: dict[str, Any] = {"type": "library", "name": name, "scope": scope}
    try:
        found = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return part
    licence = found.get("License-Expression") or (found.get("License") or "").partition("\n")[0]
    part |= {"version": found["Version"], "purl": f"pkg:pypi/{name}@{found['Version']}"}
    if licence:
        part["licenses"] = [{"license": {"name": licence[:100]}}]
    return part


def bundled_page() -> list[dict[str, Any]]:
    """The packages inside the page of reports, from the manifest and the lock file it has."""
    lock = ROOT / "frontend" / "package-lock.json"
    if not lock.exists():
        return []
    parts = []
    for place, each in json.loads(lock.read_text(encoding="utf-8"))["packages"].items():
        if not place or each.get("dev") or each.get("devOptional") or each.get("optional"):
            continue
        name = re.sub(r"^.*node_modules/", "", place)
        parts.append(
            {
                "type": "library",
                "name": name,
                "version": each["version"],
                "scope": "required",
                "purl": f"pkg:npm/{name.replace('@', '%40')}@{each['version']}",
                "licenses": [{"license": {"name": each.get("license", "see the package")}}],
            }
        )
    return sorted(parts, key=lambda part: part["name"])


def bill() -> dict[str, Any]:
    """The whole bill of materials; the same whenever the parts are the same."""
    sys.path.insert(0, str(ROOT / "src"))
    from rocwise.about import VERSION

    components = [python_package(name, "required") for name in NEEDED]
    components += [python_package(name, "optional") for name in OPTIONAL]
    components += bundled_page()
    digest = hashlib.sha256(json.dumps(components, sort_keys=True).encode()).hexdigest()
    serial = "-".join(
        (digest[:8], digest[8:12], "4" + digest[13:16], "8" + digest[17:20], digest[20:32])
    )
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "name": "rocwise",
                "version": VERSION,
                "purl": f"pkg:pypi/rocwise@{VERSION}",
                "licenses": [{"license": {"id": "BSD-3-Clause"}}],
            }
        },
        "components": components,
    }


if __name__ == "__main__":
    text = json.dumps(bill(), indent=2) + "\n"
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
