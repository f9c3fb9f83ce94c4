"""Sphinx extension: inherited members are not found by the search, which names them once."""

import pydoc
from collections.abc import Sequence

from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.environment import BuildEnvironment


def hide_inherited(app: Sphinx, env: BuildEnvironment) -> Sequence[str]:
    """Make members of other classes aliases, which the index of the search leaves out."""
    del app
    domain = env.domains["py"]
    assert isinstance(domain, PythonDomain)
    for path, entry in domain.objects.items():
        if entry.objtype in {"method", "attribute", "property"} and is_inherited(path):
            domain.objects[path] = entry._replace(aliased=True)
    return []


def is_inherited(path: str) -> bool:
    """Whether a class has this member from another one."""
    owner, _, name = path.rpartition(".")
    found = pydoc.locate(owner)
    return isinstance(found, type) and hasattr(found, name) and name not in vars(found)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect it."""
    app.connect("env-updated", hide_inherited)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
