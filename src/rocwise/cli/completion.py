"""Completion of commands, options and their choices in bash, zsh and fish, from the parsers."""

from argparse import Action
from collections.abc import Iterator

from rocwise.cli.dispatch import COMMANDS, load
from rocwise.cli.options import parser_of
from rocwise.errors import InputError

BASH = """\
_rocwise() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="{commands}"
  else
    case "${{COMP_WORDS[1]}} $prev" in
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


def _actions() -> Iterator[tuple[str, list[Action]]]:
    """The options of each command."""
    for name in COMMANDS:
        actions = parser_of(name, load(name))._actions
        yield name, [action for action in actions if action.option_strings]


def _choices(action: Action) -> list[str]:
    return [str(choice) for choice in action.choices or ()]


def _bash() -> str:
    choices, options = [], []
    for name, actions in _actions():
        words = " ".join(word for action in actions for word in action.option_strings)
        options.append(f'        {name}) words="{words}" ;;')
        for action in actions:
            if action.choices:
                places = " | ".join(f'"{name} {word}"' for word in action.option_strings)
                choices.append(f'      {places}) words="{" ".join(_choices(action))}" ;;')
    return BASH.format(
        commands=" ".join(COMMANDS), choices="\n".join(choices), options="\n".join(options)
    )


def _fish() -> Iterator[str]:
    for name, summary in COMMANDS.items():
        yield f"complete -c rocwise -n __fish_use_subcommand -f -a {name} -d {_quoted(summary)}"
    for name, actions in _actions():
        for action in actions:
            names = (
                f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}"
                for word in action.option_strings
            )
            value = "" if action.nargs == 0 else " -r"
            if action.choices:
                value = f" -x -a {_quoted(' '.join(_choices(action)))}"
            text = _quoted(" ".join((action.help or "").replace("%%", "%").split()))
            yield (
                f"complete -c rocwise -n '__fish_seen_subcommand_from {name}' "
                f"{' '.join(names)}{value} -d {text}"
            )


def _quoted(text: str) -> str:
    """A text in the single quotes of fish."""
    plain = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{plain}'"
