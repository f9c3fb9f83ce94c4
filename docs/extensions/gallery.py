"""The page of the gallery as text, and its results, made from `gallery_list`."""

from typing import Any

from gallery_list import CHAPTERS, DATA, Kind

MARK = "<!-- gallery -->"


def expanded(text: str) -> str:
    """A page with the gallery in the place of its mark."""
    return text.replace(MARK, page_of_kinds()) if MARK in text else text


def names_of_data() -> dict[str, Any]:
    """What the blocks of data define."""
    names: dict[str, Any] = {}
    for chapter_data in (DATA, *(chapter.data for chapter in CHAPTERS)):
        exec(chapter_data, names)
    return names


def result_of(kind: Kind, names: dict[str, Any]) -> Any:
    """Make the result that the gallery draws, from names of the data."""
    known = dict(names)
    exec(kind.imports, known)
    return eval(f"({kind.code}\n)", known)


def page_of_kinds() -> str:
    """The gallery as text: a heading, a title for each kind, and the lines that draw it."""
    parts = [f"```python\n{DATA.strip()}\n```"]
    for chapter in CHAPTERS:
        parts.append(f"## {chapter.heading}")
        if chapter.data:
            parts.append(f"```python\n{chapter.data.strip()}\n```")
        parts += [f"### {kind.title}\n\n```python\n{lines_of(kind)}\n```" for kind in chapter.kinds]
    return "\n\n".join(parts) + "\n"


def lines_of(kind: Kind) -> str:
    """The lines that make one kind of picture, and its further views."""
    lines = [kind.imports] if kind.imports else []
    lines += [f"result = {kind.code}", "result.plot()"]
    for view in kind.views:
        options = ", ".join(f"{name}={spelled(value)}" for name, value in view.items())
        lines.append(f"result.plot({options})")
    return "\n".join(lines)


def spelled(value: Any) -> str:
    """A value as in the code of these pages, with double quotes."""
    return f'"{value}"' if isinstance(value, str) else repr(value).replace("'", '"')
