"""Exercises as data for JSON."""

import json
from collections.abc import Iterable
from typing import Any

from bleu.core.api import corpus_bleu
from bleu.learn.exercise import Exercise
from bleu.learn.grading import answer_key, wrong_answers
from bleu.learn.misconceptions import MISCONCEPTIONS


def as_json(exercise: Exercise) -> dict[str, Any]:
    """Return an exercise as a dictionary that JSON can represent.

    - `seed`, `number` (1-based), `kind`, `topic`, `by_hand`, `detail`, `effort`.
    - `hypotheses`, `references` (a list for each hypothesis), `max_order`, `tokenizer`.
    - `given`: the given values; `fields`: each field's `name`, `label`, `options` and right
      `answer`, as text.
    - `misconceptions`: names; `sentences`: the message of each to the learner; `wrong_answers`:
      the answers of each by field name, where they differ from the right ones.
    - `answer`: `bleu`, `matched`, `total`, `brevity_penalty` and `reference_length` of all segments
      together; for a ranking, a text or a claim, the answer by field name.
    """
    task = exercise.task
    answers = answer_key(exercise)
    score = corpus_bleu(task.hypotheses, task.references, exercise.settings)
    total = {
        "bleu": score.value,
        "matched": list(score.matched),
        "total": list(score.total),
        "brevity_penalty": score.brevity_penalty,
        "reference_length": int(score.reference_length),
    }
    has_no_score = exercise.topic == "trust" or exercise.names[0] in {"order", "text"}
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
        "references": [list(references) for references in task.references],
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
        "wrong_answers": [wrong_answers(exercise, name) for name in exercise.misconceptions],
        "answer": answers if has_no_score else total,
    }


def exercises_json(exercises: Iterable[Exercise]) -> str:
    """Return exercises as a JSON array."""
    return json.dumps(list(map(as_json, exercises)), indent=1) + "\n"
