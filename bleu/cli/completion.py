"""Completion in shells: `eval "$(bleu --completion bash)"`, or zsh, or fish."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from bleu.cli.assess import assess_parser
from bleu.cli.check import check_parser
from bleu.cli.corpus_options import corpus_parser
from bleu.cli.exercises import exercises_parser
from bleu.cli.help import COMMANDS, Parser, command_parser
from bleu.cli.run import print_text
from bleu.cli.sacrebleu import sacrebleu_parser
from bleu.cli.segment import segment_parser
from bleu.cli.self_bleu import self_parser
from bleu.cli.which import which_parser
from bleu.core.brevity_penalty import REFERENCE_LENGTHS
from bleu.core.conventions import CONVENTIONS
from bleu.core.smoothing import SMOOTHINGS
from bleu.core.tokenizers import TOKENIZERS
from bleu.learn.exercise import KINDS
from bleu.learn.misconceptions import TOPICS

PARSERS: Final[Mapping[str, Callable[[], Parser]]] = {
    "": segment_parser,
    "corpus": corpus_parser,
    "check": check_parser,
    "sacrebleu": sacrebleu_parser,
    "which": which_parser,
    "self": self_parser,
    "exercises": lambda: exercises_parser("exercises"),
    "worksheet": lambda: exercises_parser("worksheet"),
    "assess": assess_parser,
}
"""The parsers of all commands; that of one segment has no name."""
VALUES: Final[Mapping[str, Iterable[str]]] = {
    "convention": CONVENTIONS,
    "tokenizer": TOKENIZERS,
    "smoothing": SMOOTHINGS,
    "reference_length": REFERENCE_LENGTHS,
    "topics": TOPICS,
    "kinds": KINDS,
}
"""The valid values of options that the library checks instead of argparse."""
SHELLS: Final = ("bash", "zsh", "fish")


def main(arguments: Sequence[str]) -> int:
    """Print the completion of a shell; return the exit code 0."""
    parser = command_parser("--completion", "Completion for a shell.")
    parser.add_argument("shell", choices=SHELLS)
    shell = parser.parse(arguments).shell
    if shell == "fish":
        return print_text("".join(f"{line}\n" for line in _fish_lines()))
    prefix = "autoload -Uz bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return print_text(prefix + _bash_function())


def _bash_function() -> str:
    options, values = [], []
    for command, make_parser in PARSERS.items():
        actions = list(_actions(make_parser()))
        names = " ".join(name for action in actions for name in action.option_strings)
        options.append(f'    {command or "*"}) words="{names}" ;;')
        values += [
            f"    {'|'.join(f'{command}:{name}' for name in action.option_strings)}) "
            f'words="{" ".join(_values(action))}" ;;'
            for action in actions
            if _values(action)
        ]
    options.append(options.pop(0))  # The pattern * is the last.
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
    for command, make_parser in PARSERS.items():
        condition = "__fish_use_subcommand"
        if command:
            condition = f"'__fish_seen_subcommand_from {command}'"
        for action in _actions(make_parser()):
            line = f"complete -c bleu -n {condition}"
            for name in action.option_strings:
                # Fish calls an option such as -tok an old one.
                kind = "l" if name.startswith("--") else "s" if len(name) == 2 else "o"
                line += f" -{kind} {name.lstrip('-')}"
            if action.nargs != 0:
                values = _values(action)
                line += f" -x -a '{' '.join(values)}'" if values else " -r"
            yield line


def _actions(parser: Parser) -> Iterator[argparse.Action]:
    """Yield the options in the help of a command."""
    for action in parser._actions:
        if action.option_strings and action.help != argparse.SUPPRESS:
            yield action


def _values(action: argparse.Action) -> list[str]:
    return list(map(str, action.choices or VALUES.get(action.dest, ())))
