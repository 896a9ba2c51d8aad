"""Completion in shells: `eval "$(bleu --completion bash)"`, or zsh, or fish."""

import argparse
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from bleu.cli.options import COMMANDS, make_parser
from bleu.core.tokenizers import TOKENIZERS
from bleu.learn.kinds import KINDS
from bleu.learn.misconceptions import TOPICS
from bleu.metric.conventions import CONVENTIONS
from bleu.metric.rules import REFERENCE_LENGTHS
from bleu.metric.smoothings import SMOOTHINGS

VALUES: Final[Mapping[str, Iterable[str]]] = {
    "convention": CONVENTIONS,
    "tokenizer": TOKENIZERS,
    "smoothing": SMOOTHINGS,
    "reference_length": REFERENCE_LENGTHS,
    "topics": TOPICS,
    "kinds": KINDS,
}
"""The valid values of options that the library checks instead of argparse."""


def completion(shell: str) -> str:
    """Return the completion script for bash, zsh or fish."""
    if shell == "fish":
        return "".join(f"{line}\n" for line in _fish_lines())
    prefix = "autoload -Uz bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return prefix + _bash_function()


def _bash_function() -> str:
    options, values = [], []
    for command in (*COMMANDS, ""):  # "" becomes the pattern *, which must be the last.
        actions = make_parser(command).visible_options()
        names = " ".join(name for action in actions for name in action.option_strings)
        options.append(f'    {command or "*"}) words="{names}" ;;')
        values += [
            f"    {'|'.join(f'{command}:{name}' for name in action.option_strings)}) "
            f'words="{" ".join(_values(action))}" ;;'
            for action in actions
            if _values(action)
        ]
    return f"""_bleu() {{
  local words= current="${{COMP_WORDS[COMP_CWORD]}}" command="${{COMP_WORDS[1]}}"
  case "$command" in {"|".join(COMMANDS)}) ;; *) command= ;; esac
  case "$current" in
  -*) case "$command" in
{chr(10).join(options)}
    esac ;;
  *) case "$command:${{COMP_WORDS[COMP_CWORD - 1]}}" in
{chr(10).join(values)}
    esac
    [ "$COMP_CWORD" -eq 1 ] && words="{" ".join(COMMANDS)}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _bleu bleu
"""


def _fish_lines() -> Iterator[str]:
    yield f"complete -c bleu -n __fish_use_subcommand -a '{' '.join(COMMANDS)}'"
    for command in ("", *COMMANDS):
        condition = "__fish_use_subcommand"
        if command:
            condition = f"'__fish_seen_subcommand_from {command}'"
        for action in make_parser(command).visible_options():
            line = f"complete -c bleu -n {condition}"
            for name in action.option_strings:
                # In fish, -o declares a long option with one hyphen, such as -tok.
                flag = "l" if name.startswith("--") else "s" if len(name) == 2 else "o"
                line += f" -{flag} {name.lstrip('-')}"
            if action.nargs != 0:
                values = _values(action)
                line += f" -x -a '{' '.join(values)}'" if values else " -r"
            yield line


def _values(action: argparse.Action) -> list[str]:
    return list(map(str, action.choices or VALUES.get(action.dest, ())))
