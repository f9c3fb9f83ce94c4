#!/bin/sh
# Prints the first Python that is new enough and can make virtual environments.
# PYTHON=/path/to/python overrides the search.
set -eu

suits='import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))'

for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
    if "$candidate" -c "$suits" >/dev/null 2>&1; then
        command -v "$candidate"
        exit 0
    fi
done

cat >&2 <<MESSAGE
rocwise needs Python 3.11 or newer with the venv and ensurepip modules; none was found among:
    ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}
On Debian or Ubuntu: apt-get install python3 python3-venv
Elsewhere: install a newer Python, then run: make PYTHON=/path/to/python3 ...
MESSAGE
exit 1
