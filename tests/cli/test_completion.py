"""Completion in shells: bash runs it; the lines of fish have every option."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bleu.__main__ import main
from bleu.cli.options import COMMANDS, make_parser
from bleu.formats import FILE_FORMATS
from bleu.metric.conventions import CONVENTIONS

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]


def output_of(capsys, shell):
    """Return the completion of a shell."""
    assert main(["--completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_bash_completes_commands_options_and_values(capsys):
    cases = {
        "co": "corpus",
        "corpus --form": "--format",
        "corpus --format ''": " ".join(FILE_FORMATS),
        "--smoothing fl": "floor",
        "which --nu": "--number",
        "corpus --convention ''": " ".join(CONVENTIONS),
        "corpus ref": "",
        "the ''": "",
    }
    lines = [
        f'COMP_WORDS=(bleu {words}); COMP_CWORD={len(words.split())}; _bleu; '
        f'echo "${{COMPREPLY[*]}}"'
        for words in cases
    ]  # fmt: skip
    script = "\n".join([output_of(capsys, "bash"), *lines])
    process = subprocess.run(["bash", "-uc", script], capture_output=True, check=False)
    assert process.stderr == b""
    assert process.stdout.decode().splitlines() == list(cases.values())


def test_zsh_uses_the_function_of_bash(capsys):
    prefix = "autoload -Uz bashcompinit && bashcompinit\n"
    assert output_of(capsys, "zsh") == prefix + output_of(capsys, "bash")


def test_fish_has_every_option(capsys):
    lines = output_of(capsys, "fish").splitlines()
    for command in ("", *COMMANDS):
        for action in make_parser(command).visible_options():
            for name in action.option_strings:
                kind = "l" if name.startswith("--") else "s" if len(name) == 2 else "o"
                where = f"from {command}'" if command else "use_subcommand "
                spelt = f" -{kind} {name.lstrip('-')}"
                assert any(where in line and f"{spelt} " in f"{line} " for line in lines), name


def test_other_shells_are_refused():
    process = subprocess.run(
        [sys.executable, "-m", "bleu", "--completion", "tcsh"],
        capture_output=True,
        check=False,
        cwd=ROOT,
    )
    assert process.returncode == 2
    assert b"invalid choice: 'tcsh'" in process.stderr
