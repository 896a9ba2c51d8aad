"""Quiz questions as data, for learning platforms."""

from dataclasses import dataclass
from typing import Literal

from bleu.document.blocks import Block

QuestionKind = Literal["number", "choice", "choices", "ranking", "essay"]


@dataclass(frozen=True, slots=True)
class QuizAnswer:
    """An answer to a question, right or wrong, with the feedback to it.

    - `text`: the answer as shown.
    - `tolerance`: the largest error accepted in a number.
    - `rank`: in a ranking, the right position of this item, from 1.
    """

    text: str
    is_right: bool
    feedback: str = ""
    tolerance: float = 0.0
    rank: int = 0


@dataclass(frozen=True, slots=True)
class QuizQuestion:
    """A question that a learning platform can mark.

    - `name`: unique within a quiz, such as `BLEU 7k2q 3 p-2`; `category`: its topic.
    - `body`: the texts that it is about; `prompt`: the question itself.
    - `kind`: `number` with a tolerance, one `choice`, several `choices`, a `ranking`, or an
      `essay`, which a person marks.
    - `answers`: right and wrong ones; the items of a ranking.
    - `exercise`: the name of the exercise, which it may share with other questions; `label`: what
      it asks for, if it does; `solution`: how the exercise is worked out.
    """

    name: str
    category: str
    body: tuple[Block, ...]
    prompt: str
    kind: QuestionKind
    answers: tuple[QuizAnswer, ...]
    exercise: str = ""
    label: str = ""
    solution: tuple[Block, ...] = ()

    @property
    def right_answers(self) -> tuple[QuizAnswer, ...]:
        """The right answers."""
        return tuple(answer for answer in self.answers if answer.is_right)
