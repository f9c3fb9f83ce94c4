"""Sphinx extension: pages show what their code draws.

Before the pages are read, those that draw are run (`pictures_of_pages`), unless neither the page
nor the library has changed since; their pictures are in `_build/drawn`. While a page is read, each
picture is put below the block that drew it. Nothing of this is committed.

`drawn_pages` names the pages that are run, all without it.
"""

import fnmatch
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from gallery import expanded
from page_examples import blocks_of
from pictures_of_pages import LIST
from sphinx.application import Sphinx
from sphinx.util import logging

import rocwise

DRAWS = re.compile(r"\bplot\(|\bsave\(|savefig\(|--plot\b|Display\.from_")
FOLDER = "_build/drawn"
HALF = 355  # pixels
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
TRAILING = re.compile(r"\n\s*\n```\n")  # an output ends with an empty line, which is not shown
HERE = Path(__file__).parent
LOGGER = logging.getLogger(__name__)


def draw_pages(app: Sphinx) -> None:
    """Run the pages whose pictures are missing or old."""
    app.drawn_folders, jobs = {}, []  # type: ignore[attr-defined]
    library = digest_of([*Path(rocwise.__file__).parent.rglob("*.py"), *HERE.glob("*.py")])
    home = Path(app.srcdir) / FOLDER
    for name in sorted(app.project.discover(app.config.exclude_patterns)):
        page = Path(app.srcdir) / f"{name}.md"
        if not page.exists() or not is_drawn(app.config.drawn_pages, name):
            continue
        text = expanded(page.read_text(encoding="utf-8"))
        if DRAWS.search(text):
            key = hashlib.sha256(f"{library}{text}".encode()).hexdigest()[:12]
            folder = home / name.replace("/", "-") / key
            app.drawn_folders[name] = folder  # type: ignore[attr-defined]
            if not (folder / LIST).exists():
                shutil.rmtree(folder.parent, ignore_errors=True)
                folder.mkdir(parents=True)
                (folder / "page.md").write_text(text, encoding="utf-8")
                jobs.append([str(folder / "page.md"), str(folder)])
    if jobs:
        LOGGER.info("drawing the pictures of %d pages", len(jobs))
        run(jobs, processes=app.parallel)


def is_drawn(patterns: list[str], name: str) -> bool:
    """Whether the pictures of a page are asked for."""
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def digest_of(paths: Iterable[Path]) -> str:
    """Of the contents: a file that was only touched draws the same."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def run(jobs: list[list[str]], processes: int) -> None:
    """Share the jobs out among as many processes as the build has."""
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for place in range(min(processes, len(jobs))):
            path = Path(folder) / f"{place}.json"
            path.write_text(json.dumps(jobs[place::processes]), encoding="utf-8")
            command = [sys.executable, str(HERE / "pictures_of_pages.py"), str(path)]
            running.append(subprocess.Popen(command, stderr=subprocess.PIPE, text=True))
        for process in running:
            _, said = process.communicate()
            if process.returncode:
                LOGGER.warning("a page cannot be drawn: %s", said)


def changed_pages(app: Sphinx, env: object, *_: object) -> list[str]:
    """Pages that were read with other pictures than they have now."""
    del env
    now = {name: str(folder) for name, folder in app.drawn_folders.items()}  # type: ignore[attr-defined]
    before = getattr(app.env, "drawn_folders", {})
    app.env.drawn_folders = now  # type: ignore[attr-defined]
    return [name for name, folder in now.items() if before.get(name, folder) != folder]


def place_pictures(app: Sphinx, name: str, source: list[str]) -> None:
    """Put each picture below its block."""
    source[0] = TRAILING.sub("\n```\n", expanded(source[0]))
    folder = app.drawn_folders.get(name)  # type: ignore[attr-defined]
    if folder is None or not (folder / LIST).exists():
        return
    by_block: dict[int, list[dict[str, str]]] = {}
    for each in json.loads((folder / LIST).read_text(encoding="utf-8")):
        by_block.setdefault(each["block"], []).append(each)
    home = "/" + folder.relative_to(app.srcdir).as_posix()
    text = source[0]
    for number, block in reversed(list(enumerate(blocks_of(text)))):
        if number in by_block:
            several = len(by_block[number]) > 1
            title = [found[1] for found in HEADING.finditer(text[: block.start()])][-1]
            shown = "".join(image(home, each, title, several) for each in by_block[number])
            row = f"\n\n````{{container}} drawn\n{shown}````\n"
            text = text[: block.end()] + row + text[block.end() :]
    source[0] = text


def image(home: str, drawn: dict[str, str], title: str, several: bool) -> str:
    """The directive of one picture; of several, two fit in a row, unless they have panels."""
    width = int(drawn["width"])
    if several and width < 2 * HALF:
        width = min(width, HALF)
    words = ": ".join(word for word in (title.replace("`", ""), drawn["words"]) if word)
    options = f":alt: {words}\n:width: {width}px"
    return f"```{{image}} {home}/{drawn['file']}\n{options}\n```\n"


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect it."""
    app.add_config_value("drawn_pages", ["*"], "env", types=[list])
    app.connect("builder-inited", draw_pages)
    app.connect("env-get-outdated", changed_pages)
    app.connect("source-read", place_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
