#!/bin/sh
# Builds the compiled kernels with AddressSanitizer and UndefinedBehaviorSanitizer into a folder of
# its own, and runs their tests with that build: bad reads, writes and arithmetic end the run.
#   sh scripts/sanitized_kernels.sh [more options of pytest]
set -eu

python=.venv/bin/python
compiler=${CC:-gcc}
runtime=$($compiler -print-file-name=libasan.so)
if [ ! -e "$runtime" ]; then
    echo "no AddressSanitizer for $compiler" >&2
    exit 77
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/src"
cp -R src/rocwise "$folder/src/rocwise"
find "$folder/src" \( -name '*.so' -o -name '__pycache__' \) -prune -exec rm -rf {} +
cp setup.py pyproject.toml README.md LICENSE LICENSES.md "$folder"

echo "Building the kernels with sanitizers in $folder"
(
    cd "$folder"
    flags='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g -O1'
    # Cython makes functions of one signature into another, which is fine where C is called
    CFLAGS="$flags -fno-sanitize=alignment" LDFLAGS='-fsanitize=address,undefined' \
        "$OLDPWD/$python" setup.py -q build_ext --inplace 2>build.log || { tail -20 build.log; exit 1; }
)

# Python never frees some memory of its own; only wrong accesses are of interest.
ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:allocator_may_return_null=1 \
UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
LD_PRELOAD="$runtime $($compiler -print-file-name=libubsan.so)" \
PYTHONMALLOC=malloc PYTHONPATH="$folder/src:tests" ROCWISE_SANITIZED="$folder" \
    "$python" -m pytest -q -n 0 -p no:cacheprovider -o pythonpath=tests \
    tests/unit/kernels tests/laws/test_kernel_laws.py \
    --deselect tests/unit/kernels/test_selection.py "$@"
