"""Exercises as data, for programs and for JSON."""

from typing import Any

from bleu.core.api import corpus_bleu
from bleu.learn.exercise import Exercise
from bleu.learn.grading import answer_key
from bleu.learn.misconceptions import MISCONCEPTIONS


def as_json(exercise: Exercise) -> dict[str, Any]:
    """An exercise in what JSON has.

    - `seed`, `number` from 1 on, `kind`, `topic`, `by_hand`, `detail`, `effort`.
    - `hypotheses`, `references` (those of each hypothesis), `max_order`, `tokenizer`.
    - `given`: the numbers told; `fields`: what is asked, each with `name`, `label`, `options` and
      `answer`, the key as text.
    - `misconceptions`: names; `sentences`: what each says to the learner.
    - `answer`: `bleu`, `matched`, `total`, `brevity_penalty` and `reference_length` of the texts,
      of all segments together; of an order or a text to make, its own answer alone.
    """
    task = exercise.task
    answers = answer_key(exercise)
    return {
        "version": 1,
        "seed": exercise.seed,
        "number": exercise.number + 1,
        "kind": exercise.kind,
        "topic": exercise.topic,
        "by_hand": exercise.by_hand,
        "detail": exercise.detail,
        "effort": exercise.effort,
        "hypotheses": list(task.hypotheses),
        "references": [list(own) for own in task.references],
        "max_order": task.max_order,
        "tokenizer": task.tokenizer,
        "given": {name: str(value) for name, value in exercise.given_values.items()},
        "fields": [
            {
                "name": field.name,
                "label": field.label,
                "options": list(field.options),
                "answer": answers[field.name],
            }
            for field in exercise.fields
        ],
        "misconceptions": list(exercise.misconceptions),
        "sentences": [MISCONCEPTIONS[name].sentence for name in exercise.misconceptions],
        "answer": _answer(exercise) if exercise.kind not in {"order", "make"} else answers,
    }


def _answer(exercise: Exercise) -> dict[str, Any]:
    task = exercise.task
    score = corpus_bleu(task.hypotheses, task.references, exercise.settings)
    return {
        "bleu": score.value,
        "matched": list(score.matched),
        "total": list(score.total),
        "brevity_penalty": score.brevity_penalty,
        "reference_length": int(score.reference_length),
    }
