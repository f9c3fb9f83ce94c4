#!/bin/sh
# Makes .bench-venv: rocwise and the peers of peers.txt in one environment, so that all of them
# run in one process on the same arrays. Peers are installed again only when peers.txt changes.
# pROC and fbroc are R packages and are used when R has them.
set -eu
cd "$(dirname "$0")/.."

python=.bench-venv/bin/python
wanted=benchmarks/peers.txt
installed=.bench-venv/peers-installed.txt

if [ ! -x "$python" ]; then
  "${PYTHON:-.venv/bin/python}" -m venv .bench-venv
fi

if ! cmp -s "$wanted" "$installed"; then
  complete=yes
  for requirement in $(grep -v '^#' "$wanted"); do
    echo "installing $requirement" >&2
    "$python" -m pip install --quiet --disable-pip-version-check "$requirement" || complete=no
  done
  if [ "$complete" = yes ]; then
    cp "$wanted" "$installed"
  else
    echo "Some peers could not be installed; the table will name them." >&2
  fi
fi

# a package may have installed an older setuptools, which cannot read our pyproject.toml
grep -E '^(setuptools|Cython)' "$wanted" | xargs "$python" -m pip install --quiet --disable-pip-version-check
"$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[plot,files,models]"
