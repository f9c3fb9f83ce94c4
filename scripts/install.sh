#!/bin/sh
# install.sh package: makes .venv where there is none that works, and installs rocwise there with its
# extras, editable. install.sh tools: adds what tests, checks and documentation need.
set -eu

venv=.venv
if ! "$venv/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    python=$(sh scripts/find_python.sh)
    echo "Making $venv with $python"
    "$python" -m venv --clear "$venv"
fi
export PIP_NO_COMPILE=1  # byte-compiling 9,000 files takes half a minute
pip="$venv/bin/python -m pip install -qq --disable-pip-version-check"

if [ "$1" = package ]; then
    echo "Installing rocwise into $venv"
    $pip --editable '.[all]'
    exit
fi

echo "Installing the tools into $venv"
# Dependency groups need pip 25.1; older Pythons bring an older pip.
$pip 'pip>=25.1'
$pip --group dev
# Spark is large (450 MB) and of no use without Java; without it its tests are skipped.
if command -v java >/dev/null 2>&1; then
    spark=$("$venv/bin/python" -c 'import tomllib
with open("pyproject.toml", "rb") as file:
    print(*tomllib.load(file)["project"]["optional-dependencies"]["spark"])')
    $pip "$spark" || echo "Spark could not be installed; its tests will be skipped"
fi
