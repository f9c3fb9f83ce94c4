"""Every question has one door, declared once for running and once for type checkers."""

import ast
from pathlib import Path

import rocwise as rw
from rocwise import questions


def declared_for_type_checkers():
    tree = ast.parse(Path(questions.__file__).read_text(encoding="utf-8"))
    (block,) = (
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    found = {}
    for line in block.body:
        if isinstance(line, ast.Assign):
            value = line.value
            call = isinstance(value, ast.Call)
            analysis = value.args[0] if call else value
            door = ast.unparse(value.func) if call else "_as_it_is"
            found[line.targets[0].id] = (door, analysis.value.id)
    return found


def test_both_lists_agree():
    assert declared_for_type_checkers() == questions._DOOR_AND_HOME


def test_every_door_is_public_and_opens():
    for name in questions._DOOR_AND_HOME:
        assert getattr(rw, name) is getattr(questions, name)
        assert getattr(rw, name).__name__ == name
