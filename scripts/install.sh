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
# Dependency groups need pip 25.1; older Pythons bring an older pip.
"$venv/bin/python" -m pip install -qq --disable-pip-version-check 'pip>=25.1'
"$venv/bin/python" -m pip install -qq --disable-pip-version-check --editable '.[all]' --group dev
