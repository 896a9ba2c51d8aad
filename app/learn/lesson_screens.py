"""The screens of the lesson as data: texts, and exercises whose numbers are computed from them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from app.learn.attempt import ANSWER_SUFFIX, item_ids
from bleu.analysis.agreement import human_agreement
from bleu.document.blocks import Paragraph, Strong, paragraph
from bleu.explanation.masking import SYMBOLS
from bleu.explanation.phrases import english_list
from bleu.learn.exercise import Exercise, Field
from bleu.learn.generation import exercises
from bleu.learn.hand_calculation import (
    CORRECT,
    HandCalculation,
    Task,
    Value,
    calculate_all,
)
from bleu.learn.kinds.bet import BET
from bleu.learn.kinds.calculation import WHOLE
from bleu.learn.kinds.claim import CLAIM, CLAIMS, claim_field
from bleu.learn.kinds.kind import quantity_fields
from bleu.learn.kinds.make import GOALS, MAKE
from bleu.learn.kinds.mark import MARK
from bleu.learn.kinds.order import ORDER, order_field
from bleu.learn.misconceptions import MISCONCEPTIONS, misconceptions_about
from bleu.learn.number_input import format_number
from bleu.learn.sentences import SeededRandom


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen of the lesson: an opening text, questions, and a closing text.

    - `tab`: its name in the list of screens; `title`: its heading.
    - `anchor`: the step of the derivation that it is about.
    - `rule`: the opening of the questions after the first, or None to repeat `opening`.
    - `guess_count`: how many questions come before their rule, so that a wrong guess is no failure.
    """

    name: str
    tab: str
    title: str
    opening: Paragraph
    questions: tuple[Exercise, ...]
    closing: Paragraph | None
    anchor: str
    rule: Paragraph | None = None
    guess_count: int = 0


_LESSON: Final = ("lesson", 0, True)
"""The seed, the number, and `by_hand` of the exercises of the lesson."""


def _bet(
    topic: str, task: Task, name: str, misconceptions: tuple[str, ...], *given: str
) -> Exercise:
    """Return a choice between a quantity's right value and the wrong values of misconceptions."""
    given_values = {quantity: HandCalculation(task)[quantity] for quantity in given}
    changes = (CORRECT, *(MISCONCEPTIONS[wrong].change for wrong in misconceptions))
    texts: dict[Value, str] = {}
    for change in changes:
        calculation = HandCalculation(task, change, given_values)
        value = calculation.calculate(name)
        texts[value] = format_number(value)
        if name.startswith("p-"):  # The learner counts 6 of 9, which 2/3 would hide.
            n = name.removeprefix("p-")
            texts[value] = f"{calculation[f'matched-{n}']}/{calculation[f'total-{n}']}"
    [field] = quantity_fields(task, (name,))
    field = replace(field, options=tuple(texts[value] for value in sorted(texts)))
    return Exercise(*_LESSON, BET.name, topic, task, (field,), given, misconceptions)


def _rank(task: Task) -> Exercise:
    return Exercise(*_LESSON, ORDER.name, "whole", task, (order_field(task),), (), ("no-penalty",))


def _rank_of(reference: str, *hypotheses: str) -> Exercise:
    return _rank(Task(hypotheses, ((reference,),) * len(hypotheses)))


def _judge(name: str) -> Exercise:
    field = claim_field(name, SeededRandom(name))
    task = CLAIMS[name].example
    return Exercise(*_LESSON, CLAIM.name, "trust", task, (field,), (), (name,), detail=name)


def _mark(task: Task, order: int) -> Exercise:
    field = Field("words", f"mark the credited {order}-grams", f"precision-{order}")
    misconceptions = ("no-clipping", "distinct-only", "order-ignored")
    return Exercise(
        *_LESSON, MARK.name, "clipping", task, (field,), (), misconceptions, detail=str(order)
    )


def _change(goal: str, task: Task, example: str) -> Exercise:
    """Return the exercise to change the candidate until it reaches a goal, as an example does."""
    misconception = MISCONCEPTIONS[GOALS[goal].misconception]
    field = Field("text", "your text", misconception.anchor, example)
    names = (misconception.name,)
    topic = misconception.topic
    return Exercise(*_LESSON, MAKE.name, topic, task, (field,), (), names, detail=goal)


def _whole(task: Task) -> Exercise:
    """Return the exercise to compute BLEU, with the misconceptions that change a number in it."""
    names = task.quantity_names()
    right = calculate_all(task, names)
    misconceptions = tuple(
        misconception.name
        for misconception in MISCONCEPTIONS.values()
        if calculate_all(task, names, misconception.change) != right
    )
    fields = quantity_fields(task, names)
    return Exercise(*_LESSON, WHOLE.name, "whole", task, fields, (), misconceptions)


def _task(hypothesis: str, *references: str) -> Task:
    return Task((hypothesis,), (references,))


def _preferences(points: tuple[int, ...]) -> str:
    """Return how many of 100 system pairs people rank like BLEU, for each difference in points."""
    return english_list([f"{100 * human_agreement(point / 100):.0f}" for point in points])


_TRAIN = "we did not see the train leave"
_BY_HAND = _task("the dog saw me", "the dog then found me")
_MANY_THE = _task(
    "the the the the the the the", "there is a cat on the mat", "the cat is on the mat"
)

SCREENS: Final = (
    Screen(
        "rank",
        "First look",
        "What BLEU looks at",
        paragraph(
            "BLEU compares a translation, the candidate, with one made by a person, the "
            "reference. BLEU-2 looks at single words and at pairs of words in a row; the 2 stands "
            "for the pairs. Which of these three does it prefer? Guess first, then see."
        ),
        (
            _rank(
                Task(
                    (
                        "we did not watch the train depart",
                        "we did see the train leave",
                        "leave train the see not did we",
                    ),
                    ((_TRAIN,),) * 3,
                )
            ),
        ),
        paragraph(
            "BLEU looks at words and at which words stand next to each other, not at meaning. "
            "B says the opposite of the reference and comes first; A says the same in other "
            "words and loses by it; C has every word, but no two in the right order. The score is "
            "between 0 and 1, and papers multiply it by 100."
        ),
        "precision-1",
        guess_count=1,
    ),
    Screen(
        "tokens",
        "Tokens",
        "Tokens",
        paragraph(
            "First, each text is split into tokens: here at white space, and nowhere else. "
            "Two tokens match if they are the same to the last character. The precision p₁ is "
            "the share of the candidate’s tokens that the reference has."
        ),
        (
            _bet(
                "tokens",
                _task("The cat sat here, on a mat.", "the cat sat here on a mat"),
                "p-1",
                ("case-folded", "punctuation-split", "punctuation-dropped"),
            ),
        ),
        paragraph(
            "“The” is not “the”, “here,” is not “here”, and “mat.” is not “mat”. Tokenize in "
            "another way, and the score changes: that is why a score is reported with its "
            "tokenizer."
        ),
        "tokens",
    ),
    Screen(
        "clip",
        "Repeat",
        "The same word, again and again",
        paragraph(
            "Now you write the candidate. The marks, the bars and the line below follow each "
            "letter. A line under a word means that it counts; dots mean no match. The second bar "
            "shows what p₁ would be if a word could count as often as you like."
        ),
        (
            _change(
                "repeat",
                replace(_task("a dog sleeps", "the cat is on the mat"), max_order=1),
                "a dog sleeps the the the",
            ),
        ),
        paragraph(
            "The reference has “the” twice, so two of them count. The third is cut off: BLEU calls "
            "this ",
            Strong("clipping"),
            ". Without it, a candidate of nothing but “the” would have a p₁ of 1.",
        ),
        "precision-1",
    ),
    Screen(
        "clipping",
        "Clipping",
        "Seven times the same word",
        paragraph(
            "There can be several references. Every token of this candidate is in both, and they "
            "have it a different number of times. How many of the seven count? Guess: the rule "
            "comes after."
        ),
        (
            _bet(
                "clipping",
                _MANY_THE,
                "p-1",
                ("no-clipping", "sum-over-references", "first-reference-only"),
            ),
        ),
        paragraph(
            "A word is credited at most as often as one single reference has it. The rest is cut "
            "off. That is what makes the precision “modified”."
        ),
        "precision-1",
        guess_count=1,
    ),
    Screen(
        "ngrams",
        "N-grams",
        "Words in a row",
        paragraph(
            "An n-gram is n tokens in a row: a single token is a 1-gram (or unigram), two are a "
            "2-gram (or bigram). With 2-grams, BLEU sees whether words stand next to each other as "
            "in the reference. 2-grams are clipped, too."
        ),
        (_mark(_task("the cat the cat on the mat", "the cat is on the mat"), 2),),
        paragraph(
            "The precision p₂ is the number of credited 2-grams divided by the number of all "
            "2-grams of the candidate, which is one less than the number of its tokens."
        ),
        "precision-2",
    ),
    Screen(
        "shorten",
        "Shorten it",
        "Right in every word, and yet not 1",
        paragraph(
            "This candidate is perfect. Take away its last word, then one more, and so on. The "
            "line below shows the score, both precisions, and a new number, BP. Which of them fall?"
        ),
        (
            _change(
                "short",
                _task(
                    "we saw a small boat on the lake today", "we saw a small boat on the lake today"
                ),
                "we saw a small boat on the lake",
            ),
        ),
        paragraph(
            "The precisions stay 1: they look only at the words that are there. By them alone, a "
            "candidate that leaves out everything doubtful would be best. So BLEU multiplies by "
            "the ",
            Strong("brevity penalty"),
            " BP, which falls with each word that is missing. With a single word, there is no "
            "pair left, and the score is 0.",
        ),
        "brevity-penalty",
    ),
    Screen(
        "brevity",
        "Brevity",
        "Too short",
        paragraph(
            "BP fell with each word that was missing. It depends on two lengths alone: ",
            SYMBOLS["c"],
            ", the number of the candidate’s tokens, and ",
            SYMBOLS["r"],
            ", that of the reference’s. Which number is it here? Guess; the formula comes after. "
            "(exp(x) is e to the power of x, and e is about 2.718.)",
        ),
        (
            _bet(
                "brevity",
                _task("the cat is here", "the cat is here on the mat"),
                "bp",
                ("penalty-ratio", "no-penalty", "penalty-swapped"),
                "c",
                "r",
            ),
        ),
        paragraph(
            "BP is exp(1 − r/c). From c = r on it is 1: a long "
            "candidate is not rewarded, and needs no penalty, as its extra tokens lower the "
            "precisions. With several references, r is the length closest to c; of two that are "
            "equally close, the shorter."
        ),
        "brevity-penalty",
        guess_count=1,
    ),
    Screen(
        "mean",
        "Mean",
        "One number from two",
        paragraph(
            "Here, every word of the candidate is right, but only one of its four pairs of words. "
            "BLEU makes one number of the two precisions. Guess which: the rule comes after."
        ),
        (
            _bet(
                "combination",
                _task("small ship we a saw", "we saw a small ship"),
                "gm",
                ("arithmetic-mean", "no-root"),
                "p-1",
                "p-2",
            ),
            _bet(
                "combination",
                _task("ship small a saw we", "we saw a small ship"),
                "gm",
                ("arithmetic-mean", "zeros-skipped"),
                "p-1",
                "p-2",
            ),
        ),
        paragraph(
            "Many single sentences have a precision of 0, and so a score of 0. ",
            Strong("Smoothing"),
            " changes the counts or the precisions a little, so that none is 0 and such sentences "
            "can be compared. A score is reported with its smoothing.",
        ),
        "score",
        rule=paragraph(
            "BLEU takes the ",
            Strong("geometric mean"),
            " GM: the N-th root of the product of N precisions, here √(1 · 1/4) = 1/2. A high "
            "precision cannot make up for a low one, as it could in the arithmetic mean. With "
            "logarithms, √(p₁ · p₂) is exp((ln p₁ + ln p₂)/2). What if no pair of words is right?",
        ),
        guess_count=1,
    ),
    Screen(
        "whole",
        "By hand",
        "BLEU-2, by hand",
        paragraph(
            "First a part alone: how many pairs of words does the candidate have, and how many of "
            "them are credited? Write the share as a fraction, such as 3/4, or as a decimal."
        ),
        (
            Exercise(
                *(*_LESSON, BET.name, "precision", _BY_HAND, quantity_fields(_BY_HAND, ("p-2",))),
                misconceptions=tuple(wrong.name for wrong in misconceptions_about("precision")),
            ),
            _whole(_BY_HAND),
        ),
        paragraph("That is all there is to it. BLEU-4 does the same with two more precisions."),
        "score",
        rule=paragraph(
            "Now all of it, with 1-grams and 2-grams: BLEU-2 = BP · GM, the brevity penalty times "
            "the geometric mean √(p₁ · p₂). Write decimals, or fractions, roots and powers as "
            "they are: 3/4, sqrt(3/8), exp(−1/5). A slip early on costs nothing later: what "
            "follows is marked by your own numbers."
        ),
    ),
    Screen(
        "corpus",
        "Corpus",
        "Two segments",
        paragraph(
            "BLEU was made for a corpus: a whole test set, split into segments such as sentences. "
            "Of these two, the first is perfect and the second has a score of 0. Guess how BLEU "
            "joins them: the rule comes after."
        ),
        (
            _bet(
                "corpus",
                Task(
                    ("it rained all day long", "she saw the boat"),
                    (("it rained all day long",), ("the dog she knew",)),
                ),
                "bleu",
                ("mean-of-scores", "mean-of-precisions"),
            ),
        ),
        paragraph(
            "The counts of all segments are added up, and the score is worked out once. The "
            "mean of the scores is another number."
        ),
        "sums",
        guess_count=1,
    ),
    Screen(
        "trust",
        "Trust",
        "When not to trust BLEU",
        paragraph(
            "Three systems translated a sentence (the texts are made up). People rank them A, B, "
            "C: A says the same as the reference, B is clumsy, and C says the opposite. How does "
            "BLEU rank them?"
        ),
        (
            _rank(
                Task(
                    (
                        "unfortunately the shop was shut when we came",
                        "the store was closed as we there arrived",
                        "the store was open when we arrived",
                    ),
                    (("the store was closed when we arrived",),) * 3,
                )
            ),
        ),
        paragraph(
            "BLEU ranks them the other way round. It sees words and not meaning, and only the "
            "words of the reference. With many sentences, chance evens out; a system that prefers "
            "other good words loses in all of them. For a single sentence, look at the text."
        ),
        "precision-1",
    ),
    Screen(
        "blind",
        "Blind",
        "What BLEU does not see",
        paragraph(
            "Each question has a reference and two translations. One keeps the meaning, and one is "
            "wrong in the one thing that matters. Guess which of them BLEU prefers."
        ),
        (
            _rank_of(
                "the new drug is not safe for small children",
                "the new drug is unsafe for young children",
                "the new drug is safe for small children",
            ),
            _rank_of(
                "she said that the money was gone",
                "she said that the dog was gone",
                "according to her all of the cash had disappeared",
            ),
            _rank_of(
                "the flight to Rome leaves at 9 on Monday",
                "the flight to Rome leaves at 8 on Monday",
                "the flight to Rome goes at 9 on Monday morning",
            ),
        ),
        paragraph(
            "A lost “not” or a wrong digit is one word of many to BLEU, and a good paraphrase is "
            "all wrong words. So check names, numbers and negations by hand or by a rule, and "
            "let people read what BLEU calls best. The reference answers whether to use BLEU at "
            "all, and what other metrics do not see."
        ),
        "precision-1",
        guess_count=3,
    ),
    Screen(
        "difference",
        "Difference",
        "One point more",
        paragraph(
            "Two systems translated the same large test set, and people judged both. BLEU says one "
            "thing, and people may say another."
        ),
        (_judge("differences-certain"),),
        paragraph(
            "Of pairs of systems that differ by 1, 2 or 5 BLEU, people prefer the one with the "
            f"higher score in {_preferences((1, 2, 5))} of 100 (Kocmi et al. 2024, fitted to "
            "systems that people judged). The texts, references, tokens and settings must be the "
            "same; between papers they seldom are."
        ),
        "score",
    ),
)
"""The screens in order, except for the last, the check; see `check_screen`."""

SCREEN_INDEX: Final = {screen.name: index for index, screen in enumerate(SCREENS)}

SCREEN_BY_TOPIC: Final = {
    "tokens": "tokens",
    "clipping": "clipping",
    "precision": "ngrams",
    "combination": "mean",
    "brevity": "brevity",
    "corpus": "corpus",
    "trust": "difference",
}
"""The name of the screen about each topic."""

CHECK_QUESTIONS: Final = (
    ("clipping", BET.name),
    ("brevity", BET.name),
    ("corpus", BET.name),
    ("whole", WHOLE.name),
)
"""The topics and kinds of the questions of the check; the last is a BLEU-2 by hand."""

POSITIONS: Final = (
    *((index, n) for index, screen in enumerate(SCREENS) for n in range(len(screen.questions))),
    *((len(SCREENS), n) for n in range(len(CHECK_QUESTIONS))),
    (len(SCREENS) + 1, 0),
)
"""(screen index, question index) of each question in order, and of the end of the lesson."""


def lesson_item_ids() -> list[str]:
    """Return the ids of the items to present; the check, which depends on a seed, has no rows."""
    ids = [item for screen in SCREENS for item in item_ids(screen.name, screen.questions)]
    numbers = range(1, len(CHECK_QUESTIONS) + 1)
    return ids + [f"check-{n}{suffix}" for n in numbers for suffix in ("", ANSWER_SUFFIX)]


def check_screen(seed: str) -> Screen:
    """Return the check: the last screen, which tests the learner; a seed gives its questions."""
    questions = tuple(
        exercises(seed, (topic,), 1, kinds=(kind,))[0] for topic, kind in CHECK_QUESTIONS
    )
    opening = paragraph(
        "Questions on other texts, to see what has stayed. In the last, work out BLEU-2 by hand."
    )
    return Screen("check", "Check", "Check", opening, questions, None, "score")


def still_to_review(names: Iterable[str], exercise: Exercise) -> tuple[str, ...]:
    """Return the misconceptions that remain after a right answer to a question of the check.

    >>> right = check_screen("1").questions[0]
    >>> still_to_review(("no-clipping", "no-penalty"), right)
    ('no-penalty',)
    """
    by_hand = ("clipping", "precision", "combination", "brevity")
    mastered = by_hand if exercise.topic == "whole" else (exercise.topic,)
    return tuple(name for name in names if MISCONCEPTIONS[name].topic not in mastered)
