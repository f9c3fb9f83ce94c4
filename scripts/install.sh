#!/bin/sh
# Makes .venv where there is none that works, and installs rocwise there for development.
set -eu

venv=.venv
if ! "$venv/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    python=$(sh scripts/find_python.sh)
    echo "Making $venv with $python"
    "$python" -m venv --clear "$venv"
fi

echo "Installing rocwise and its tools into $venv"
export PIP_NO_COMPILE=1  # half a minute for 9,000 files, of which few are ever imported
# Dependency groups need pip 25.1; older Pythons bring an older pip.
"$venv/bin/python" -m pip install -qq --disable-pip-version-check 'pip>=25.1'
"$venv/bin/python" -m pip install -qq --disable-pip-version-check --editable '.[all]' --group dev

# Spark is large (450 MB) and of no use without Java; without it its tests say so and are skipped.
if command -v java >/dev/null 2>&1; then
    spark=$("$venv/bin/python" -c 'import tomllib
with open("pyproject.toml", "rb") as file:
    print(*tomllib.load(file)["project"]["optional-dependencies"]["spark"])')
    "$venv/bin/python" -m pip install -qq --disable-pip-version-check "$spark" ||
        echo "Spark could not be installed; its tests will be skipped"
fi
