"""Builds the optional compiled kernels, and words for a package index; pyproject.toml has the rest.

The extensions are marked optional: where no compiler is found the build goes on without them and
rocwise uses the numpy twins of the kernels.
"""

import os
import re
import sys
from pathlib import Path

import numpy
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

try:
    from Cython.Build import cythonize
except ImportError:  # there is nothing to build with
    cythonize = None

DIRECTIVES = {
    "language_level": "3",
    # what a module holds is constant once it is loaded, so Pythons without a lock keep it off
    "freethreading_compatible": True,
}
# without fused multiply-add every machine gives the last bit that the numpy twins give
FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0", "-ffp-contract=off"]
FOLDER = Path("src/rocwise/kernels/compiled")
HERE = Path(__file__).parent / FOLDER
NAMES = sorted(path.stem for path in HERE.glob("_*.pyx"))
INCLUDED = sorted(path.name for path in HERE.glob("*.pxd"))

extensions = [
    Extension(
        f"rocwise.kernels.compiled.{name}",
        sources=[(FOLDER / f"{name}.pyx").as_posix()],
        depends=[(FOLDER / included).as_posix() for included in INCLUDED],
        include_dirs=[numpy.get_include()],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        extra_compile_args=FLAGS,
        optional=True,
    )
    for name in NAMES
]


class BuildKernels(build_ext):
    """Compiles as many modules at a time as there are processors."""

    def finalize_options(self):
        """Compile in parallel by default."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self):
        """Write all C files first: Cython has no threads."""
        for extension in self.extensions if cythonize else []:
            (translated,) = cythonize(
                [extension], force=self.force, quiet=True, compiler_directives=DIRECTIVES
            )
            extension.sources = translated.sources
        super().build_extensions()


def long_description() -> str:
    """The README without images and links to files."""
    text = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    without_images = re.sub(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+", "", text, flags=re.MULTILINE)
    return re.sub(r"\[([^\]]*)\]\((?!https?:)[^)]*\)", r"\1", without_images)


# Cython runs when modules are built, so that a source archive needs neither
setup(
    ext_modules=extensions,
    cmdclass={"build_ext": BuildKernels},
    long_description=long_description(),
    long_description_content_type="text/markdown",
)
