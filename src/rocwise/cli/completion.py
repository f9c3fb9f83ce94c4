"""Completion of commands, options and their choices in bash, zsh and fish, from the parsers."""

import inspect
from argparse import Action
from collections.abc import Iterator
from pkgutil import resolve_name
from typing import get_args

from rocwise.cli.dispatch import COMMANDS, load
from rocwise.cli.options import parser_of
from rocwise.errors import InputError

GENERAL = "--help --version --json-schema --completion"
BASH = """\
_rocwise() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="{commands}"
    case "$cur" in -*) words="{general}" ;; esac
  else
    case "${{COMP_WORDS[1]}} $prev" in
      "help help") words="{commands}" ;;
      "--completion --completion") words="{shells}" ;;
{choices}
      *) case "${{COMP_WORDS[1]}}" in
{options}
        esac
        case "$cur" in -*) ;; *) words="" ;; esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o default -F _rocwise rocwise
"""
ZSH = "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"
SHELLS = ("bash", "zsh", "fish")


def script(shell: str) -> str:
    """The completion script of a shell."""
    if shell not in SHELLS:
        raise InputError(f"--completion must be one of {', '.join(SHELLS)}; got {shell!r}.")
    if shell == "fish":
        return "\n".join(_fish()) + "\n"
    return (ZSH if shell == "zsh" else "") + _bash()


def _actions() -> Iterator[tuple[str, list[tuple[Action, list[str]]]]]:
    """The options of each command, and the values that each can have, as its function has them."""
    for name in COMMANDS:
        parser = parser_of(name, load(name))
        values = {
            parameter.name: _words(parameter.annotation)
            for function in parser.get_default("functions")
            for parameter in inspect.signature(
                resolve_name(f"rocwise.{function}")
            ).parameters.values()
        }
        yield (
            name,
            [
                (action, list(map(str, action.choices or values.get(action.dest) or [])))
                for action in parser._actions
                if action.option_strings
            ],
        )


def _words(annotation: object) -> list[str]:
    """The texts of a `Literal`, also within a union."""
    found = [_words(each) if get_args(each) else [each] for each in get_args(annotation)]
    return [word for words in found for word in words if isinstance(word, str)]


def _bash() -> str:
    choices, options = [], []
    for name, actions in _actions():
        words = " ".join(word for action, _ in actions for word in action.option_strings)
        options.append(f'        {name}) words="{words}" ;;')
        for action, values in actions:
            if values:
                places = " | ".join(f'"{name} {word}"' for word in action.option_strings)
                choices.append(f'      {places}) words="{" ".join(values)}" ;;')
    parts = {"choices": "\n".join(choices), "options": "\n".join(options), "general": GENERAL}
    return BASH.format(commands=" ".join(COMMANDS), shells=" ".join(SHELLS), **parts)


def _fish() -> Iterator[str]:
    for name, summary in COMMANDS.items():
        yield f"complete -c rocwise -n __fish_use_subcommand -f -a {name} -d {_quoted(summary)}"
    for name, actions in _actions():
        for action, values in actions:
            names = (
                f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}"
                for word in action.option_strings
            )
            value = "" if action.nargs == 0 else " -r"
            if values:
                value = f" -x -a {_quoted(' '.join(values))}"
            text = _quoted(" ".join((action.help or "").replace("%%", "%").split()))
            yield (
                f"complete -c rocwise -n '__fish_seen_subcommand_from {name}' "
                f"{' '.join(names)}{value} -d {text}"
            )


def _quoted(text: str) -> str:
    """A text in the single quotes of fish."""
    plain = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{plain}'"
