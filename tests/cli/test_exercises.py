"""The commands `exercises` and `worksheet`: JSON, formats, options and errors."""

import json

import pytest

import bleu
from bleu.__main__ import main


def output_of(capsys, *arguments):
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_json_has_exercises_and_answers(capsys):
    exercises = json.loads(
        output_of(capsys, "exercises", "--seed", "7k2q", "--count", "14", "--format", "json")
    )
    assert len(exercises) == 14
    for exercise in exercises:
        assert {"kind", "hypotheses", "references", "max_order", "misconceptions", "answer"} <= set(
            exercise
        )
        assert len(exercise["hypotheses"]) == len(exercise["references"])
        assert set(exercise["misconceptions"]) <= set(bleu.MISCONCEPTIONS)
        if "bleu" in exercise["answer"]:
            score = bleu.corpus_bleu(
                exercise["hypotheses"], exercise["references"], max_order=exercise["max_order"]
            )
            assert exercise["answer"] == {
                "bleu": score.value,
                "matched": list(score.matched),
                "total": list(score.total),
                "brevity_penalty": score.brevity_penalty,
                "reference_length": score.reference_length,
            }


@pytest.mark.parametrize("output_format", ["text", "markdown", "latex", "html"])
def test_worksheet_and_solutions_in_every_format(capsys, output_format):
    arguments = ("worksheet", "--seed", "s", "--topics", "clipping", "brevity", "--count", "4")
    worksheet = output_of(capsys, *arguments, "--format", output_format)
    solutions = output_of(capsys, *arguments, "--format", output_format, "--solutions")
    assert "worksheet s" in worksheet
    assert "solutions" in solutions
    assert worksheet != solutions
    assert output_of(capsys, *arguments, "--format", output_format) == worksheet
    assert "You " in solutions


def test_variants_have_different_texts(capsys):
    worksheets = {output_of(capsys, "worksheet", "--variant", letter) for letter in "ABCD"}
    assert len(worksheets) == 4


def test_options_choose_kind_order_and_tokenizer(capsys):
    hand_options = ("--kinds", "whole", "--max-order", "4", "--calculator", "--count", "1")
    assert "BLEU-4" in output_of(capsys, "exercises", *hand_options)
    tokenizer_options = ("--topics", "tokens", "--tokenizer", "13a", "--count", "1")
    assert "each punctuation mark is a token" in output_of(capsys, "exercises", *tokenizer_options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--topics", "x"), "there is no topic 'x'; choose from tokens, clipping"),
        (("--kinds", "x"), "there is no kind 'x'; choose from bet"),
        (("--count", "0"), "count is 0; choose 1 to 100"),
        (("--count", "many"), "invalid int value: 'many'"),
        (("--max-order", "9"), "max_order is 9; choose from 2, 3, 4"),
        (("--variant", "E"), "there is no variant 'E'; choose from A, B, C, D"),
        (("--seed", ""), "the seed is ''; give 1 to 40 printable characters"),
        (("--format", "pdf"), "invalid choice: 'pdf'"),
        (("--tokenizer", "zh"), "tokenizer is 'zh'; choose whitespace or 13a"),
        (("word",), "'word' belongs to no option; python -m bleu"),
    ],
)
@pytest.mark.parametrize("command", ["exercises", "worksheet"])
def test_invalid_options_exit_with_2(capsys, command, arguments, message):
    with pytest.raises(SystemExit) as raised:
        main([command, *arguments])
    assert raised.value.code == 2
    error = capsys.readouterr().err
    assert message in error
    assert f"python -m bleu {command}: error:" in error
