"""Sixty corruptions written before the detectors were tuned, judged by cost, name and repair.

`python -m tests.bench.unseen --data FOLDER [--list]`. A corruption is right if the first finding
has its cost within 20 % or half a point; for files of other lengths, if the score after all repairs
is that near to the clean one. All repairs that are offered are made, one after the other: no line
that was right may change, and no finding may blame a side that is right.
"""

import argparse
import random
import re
import textwrap
import unicodedata
import uuid
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

import bleu
from tests.bench.checkup import in_processes
from tests.bench.checkup_texts import TextSet, read_sets
from tests.bench.clean_sets import LOCALE_FOLDER, catalog, is_sentence

MIN_COST: Final = 0.005
"""The cost in [0, 1] from which a corruption must be found; and the tolerated difference."""
CLOSE: Final = 0.2
"""The tolerated difference as a share of the cost."""
MAX_REPAIRS: Final = 6
DAMAGED: Final = ("el", "tr", "de", "uk")
"""Languages whose letters are damaged throughout."""

Lines = list[str]
Texts = tuple[list[str], list[list[str]]]
File = Callable[[random.Random, TextSet], Lines]
"""A function that returns a corrupted file of hypotheses."""


@dataclass(frozen=True, slots=True)
class Case:
    """A corruption: its name, those that a finding may have, and the function that makes it.

    - `side`: `references` if the function returns these, or `both` for the same on both sides.
    - `language`: the language of the texts, or "" for those of the folder.
    - `share`: the share of the lines that are corrupted, if lines are corrupted one by one.
    """

    name: str
    names: str
    corrupt: File
    side: str = "hypotheses"
    language: str = ""
    is_joined: bool = False


def _each(change: Callable[[random.Random, str], str], share: float = 1.0) -> File:
    def corrupt(rng: random.Random, texts: TextSet) -> Lines:
        return [change(rng, line) if rng.random() < share else line for line in texts.hypotheses]

    return corrupt


def _plain(change: Callable[[str], str], share: float = 1.0) -> File:
    return _each(lambda _, line: change(line), share)


def _around(form: str, share: float = 1.0) -> File:
    return _plain(lambda line: form.replace("TEXT", line), share)


def _form(*forms: str, share: float = 1.0) -> File:
    """Return a corruption that writes each hypothesis over several lines, in one of the forms."""

    def corrupt(rng: random.Random, texts: TextSet) -> Lines:
        lines = []
        for number, text in enumerate(texts.hypotheses):
            form = rng.choice(forms) if rng.random() < share else "TEXT"
            source = (texts.sources or texts.references)[number]
            form = form.replace("SOURCE", source).replace("NUMBER", str(number + 1))
            lines += form.replace("TEXT", text).split("\n")
        return lines

    return corrupt


def _neighbour(*steps: int, form: str = "TEXT OTHER", share: float = 1.0) -> File:
    """Return a corruption that adds the hypotheses of other lines, `steps` later."""

    def corrupt(rng: random.Random, texts: TextSet) -> Lines:
        lines, size = [], len(texts.hypotheses)
        for number, text in enumerate(texts.hypotheses):
            others = " ".join(texts.hypotheses[(number + step) % size] for step in steps)
            added = form.replace("OTHER", others).replace("TEXT", text)
            lines.append(added if rng.random() < share else text)
        return lines

    return corrupt


def _with_source(form: str) -> File:
    def corrupt(_: random.Random, texts: TextSet) -> Lines:
        pairs = zip(texts.hypotheses, texts.sources or texts.references, strict=True)
        return [form.replace("SOURCE", source).replace("TEXT", text) for text, source in pairs]

    return corrupt


def _words(change: Callable[[random.Random, list[str]], list[str]]) -> File:
    return _each(lambda rng, line: " ".join(change(rng, line.split())))


def _wrap(_: random.Random, texts: TextSet) -> Lines:
    return [part for line in texts.hypotheses for part in textwrap.wrap(line, 55) or [""]]


def _exchange(*pairs: str) -> File:
    """Return a corruption that writes strings as others; each pair is “right wrong”."""
    table = [pair.split(" ") for pair in pairs]

    def change(line: str) -> str:
        for right, wrong in table:
            line = line.replace(right, wrong)
        return line

    return _plain(change)


def _strip(marks: str) -> File:
    """Return a corruption that takes some combining marks from letters."""

    def change(line: str) -> str:
        decomposed = unicodedata.normalize("NFD", line)
        return unicodedata.normalize("NFC", "".join(c for c in decomposed if c not in marks))

    return _plain(change)


def _think_shared(_: random.Random, texts: TextSet) -> Lines:
    return [f"<think>Fine.</think> {line}" for line in texts.hypotheses]


def _case(name: str, names: str, corrupt: File, **options: object) -> Case:
    return Case(name, names, corrupt, **options)  # type: ignore[arg-type]


def _joined(name: str, corrupt: File) -> Case:
    return Case(f"lines: {name}", "length-mismatch", corrupt, is_joined=True)


def _damaged(language: str, name: str, corrupt: File, names: str = "letters") -> Case:
    return Case(f"{language}: {name}", names, corrupt, language=language)


_LOST: Final = "lost-words encoding special-tokens frame"
CASES: Final = (
    # Answers of language models over several lines
    _joined("question", _form("Of course!\n\nTEXT\n\nShall I translate another sentence for you?")),
    _joined("heading", _form("**English version**\n\nTEXT\n\n---")),
    _joined(
        "scratchpad", _form("<scratchpad>\nThe text is news, so a plain tone.\n</scratchpad>\nTEXT")
    ),
    _joined("markdown fence", _form("```markdown\nTEXT\n```\n")),
    _joined("numbered", _form("NUMBER.\nTEXT")),
    _joined("two blank lines", _form("TEXT\n\n")),
    _joined("segment heading", _form("=== Segment NUMBER ===\nTEXT")),
    _joined("bilingual", _form("SOURCE\nTEXT")),
    _joined(
        "note in half", _form("TEXT\n(Note: the register of the original is informal.)", share=0.5)
    ),
    _joined("wrapped at 55 columns", _wrap),
    _joined(
        "several greetings",
        _form(
            "Gladly.\nTEXT",
            "Here you go:\n\nTEXT",
            "TEXT",
            "Certainly, this is what it says:\nTEXT\n",
        ),
    ),
    _joined("role", _form("assistant:\nTEXT\n<end>")),
    # Damage of letters throughout; the references are right
    _damaged("el", "no tonos", _strip("\u0301")),
    _damaged("el", "no final sigma", _exchange("ς σ")),
    _damaged("el", "iotacism", _exchange("η ι", "υ ι", "ή ί", "ύ ί")),
    _damaged(
        "tr",
        "ASCII",
        _exchange("ç c", "ğ g", "ı i", "ö o", "ş s", "ü u", "Ş S", "İ I", "Ü U", "Ö O", "Ç C"),
    ),
    _damaged("tr", "dotless i only", _exchange("ı i")),
    _damaged("tr", "dots on all i", _exchange("I İ", "ı i", "ğ ğ"), "letters normalization case"),
    _damaged("de", "digraphs", _exchange("ä ae", "ö oe", "ü ue", "ß ss", "Ä Ae", "Ö Oe", "Ü Ue")),
    _damaged("de", "no umlauts", _strip("\u0308")),
    _damaged("de", "small nouns", _plain(lambda line: line[:1] + line[1:].lower()), "case"),
    _damaged("uk", "Latin i", _exchange("і i", "І I")),
    _damaged("uk", "Russian letters", _exchange("і и", "ї и", "є е", "ґ г")),
    _damaged("uk", "Latin look-alikes", _exchange("а a", "е e", "о o", "с c", "р p", "х x")),
    # Text beside the translation
    _case("next line", "overlong", _neighbour(1)),
    _case("previous line", "overlong", _neighbour(-1, form="OTHER TEXT")),
    _case("two more lines", "overlong", _neighbour(1, 2)),
    _case("another line in 30 %", "overlong", _neighbour(7, share=0.3)),
    _case("source after a dash", "overlong frame other-language", _with_source("TEXT — SOURCE")),
    _case(
        "source in brackets before", "overlong frame other-language", _with_source("(SOURCE) TEXT")
    ),
    # Doubled words
    _case("each word twice", "repetition", _words(lambda _, w: [x for y in w for x in (y, y)])),
    _case(
        "a third of the words twice",
        "repetition",
        _words(lambda r, w: [x for y in w for x in [y] * (1 + (r.random() < 0.35))]),
    ),
    _case(
        "pairs of words twice",
        "repetition",
        _words(lambda _, w: [x for k in range(0, len(w), 2) for x in w[k : k + 2] * 2]),
    ),
    _case(
        "each word three times", "repetition", _words(lambda _, w: [x for y in w for x in [y] * 3])
    ),
    _case("whole text three times", "repetition", _around("TEXT TEXT TEXT")),
    # Quotes
    _case("curly quotes around", "chatter frame punctuation", _around("“TEXT”")),
    _case("low quotes around", "chatter frame punctuation", _around("„TEXT“")),
    _case("guillemets in a third", "chatter frame punctuation", _around("«TEXT»", 0.35)),
    _case("double apostrophes around", "chatter frame punctuation", _around("''TEXT''")),
    _case("corner brackets around", "chatter frame punctuation", _around("「TEXT」")),
    _case(
        "quotes around references",
        "chatter frame punctuation",
        _around('"TEXT"'),
        side="references",
    ),
    # Ids, addresses, control characters
    _case("uuid", "frame", _each(lambda r, x: f"{uuid.UUID(int=r.getrandbits(128))} {x}")),
    _case("digest", "frame table", _each(lambda r, x: f"{r.getrandbits(160):040x}: {x}")),
    _case(
        "network address",
        "frame",
        _each(lambda r, x: f"10.{r.randrange(9)}.{r.randrange(255)}.7 {x}"),
    ),
    _case(
        "mail address", "frame", _each(lambda r, x: f"{x} user{r.randrange(99)}@mail.example.org")
    ),
    _case(
        "path at the end", "frame", _each(lambda r, x: f"{x} (/data/part-{r.randrange(99):05}.bin)")
    ),
    _case(
        "date and time",
        "frame",
        _each(lambda r, x: f"2024-05-{r.randrange(10, 30)}T12:{r.randrange(10, 60)}:07Z {x}"),
    ),
    _case(
        "controls for spaces",
        "invisible spacing subwords",
        _plain(lambda x: x.replace(" ", " \x02")),
    ),
    _case("terminal colours", "invisible frame escapes", _around("\x1b[32mTEXT\x1b[0m")),
    # Lost words and ends
    _case(
        "placeholders",
        _LOST,
        _words(lambda r, w: ["⟨unknown⟩" if r.random() < 0.2 else x for x in w]),
    ),
    _case("blanks", _LOST, _words(lambda r, w: ["____" if r.random() < 0.15 else x for x in w])),
    _case("last third lost", "truncated", _words(lambda _, w: w[: max(1, len(w) * 2 // 3)])),
    _case("cut at 20 words", "truncated", _words(lambda _, w: w[:20])),
    _case(
        "rest as three dots", "truncated", _words(lambda _, w: [*w[: max(1, len(w) // 2)], "..."])
    ),
    # Reasoning
    _case(
        "end of reasoning alone",
        "reasoning frame",
        _each(
            lambda r, x: (
                f"The user wants {r.choice(['a plain', 'an exact', 'a short'])} text.</think>{x}"
            )
        ),
    ),
    _case(
        "reasoning cut in a fifth",
        "reasoning",
        _each(lambda r, x: f"<think>Let me look at the {r.choice(x.split())} first", 0.2),
    ),
    _case(
        "channels",
        "reasoning special-tokens frame",
        _around(
            "<|channel|>analysis<|message|>A plain text.<|end|><|channel|>final<|message|>TEXT"
        ),
    ),
    _case("reasoning on both sides", "reasoning frame", _think_shared, side="both"),
    # Others
    _case("spans", "frame", _around("<span lang='en-GB'>TEXT</span>")),
    _case("trailing backslash", "frame escapes punctuation", _around("TEXT \\")),
)
"""The corruptions; what each may be called stands beside it."""


def language_set(language: str, count: int = 300) -> TextSet:
    """Return messages of programs in a language, and a noisy copy as the output of a system."""
    rng = random.Random(language)
    found: dict[str, None] = {}
    for path in sorted((LOCALE_FOLDER / language / "LC_MESSAGES").glob("*.mo")):
        texts = (text for text in catalog(path).values() if is_sentence(text))
        found |= dict.fromkeys(x for x in texts if len(x.split()) > 5 and not re.search("[%<{]", x))
    references = rng.sample(list(found), count)
    words = [word for line in references for word in line.split() if word.isalpha()]

    def change(word: str) -> str:
        return rng.choice(words) if word.isalpha() and rng.random() < 0.25 else word

    output = [" ".join(map(change, line.split())) for line in references]
    return TextSet(language, output, references)


def score(hypotheses: Sequence[str], rows: Sequence[Sequence[str]]) -> float:
    """Return the corpus score in [0, 1] with sacreBLEU's settings."""
    return bleu.corpus_bleu(hypotheses, rows).value


@dataclass(slots=True)
class Verdict:
    """What the check-up said of a corruption.

    - `cost`, `told`: the true cost and that of the first finding, in [0, 1].
    - `exact`: the share of corrupted hypotheses that are exact after all repairs.
    - `harmed`: how many right lines a repair changed; `blamed`: names of findings on a right side.
    """

    case: str
    texts: str
    cost: float
    told: float | None = None
    first: str = ""
    is_close: bool = False
    is_named: bool = False
    exact: float = 0.0
    harmed: int = 0
    blamed: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """Return a line for the list."""
        told = "nothing" if self.told is None else f"{100 * self.told:.2f}"
        marks = "".join(
            mark if flag else "-"
            for mark, flag in zip("cn", (self.is_close, self.is_named), strict=True)
        )
        harm = f"; {self.harmed} right lines changed" if self.harmed else ""
        blame = f"; blamed: {', '.join(self.blamed)}" if self.blamed else ""
        return (
            f"{marks} {self.case} in {self.texts}: costs {100 * self.cost:.2f}, told "
            f"{self.first} {told}; exact {self.exact:.0%}{harm}{blame}"
        )


def judge(case: Case, clean: TextSet) -> Verdict | None:
    """Return what the check-up says of a corruption, or None if it costs too little."""
    rng = random.Random(f"{case.name} {clean.name}")
    clean_rows = [[line] for line in clean.references]
    hypotheses, rows = clean.hypotheses, clean_rows
    if case.side != "references":
        hypotheses = case.corrupt(rng, clean)
    if case.side != "hypotheses":
        sides = TextSet("", clean.references, clean.hypotheses, clean.sources)
        rows = [[line] for line in case.corrupt(rng, sides)]
    clean_score, size = score(clean.hypotheses, clean_rows), len(clean.hypotheses)
    is_joined = len(hypotheses) != len(rows)
    cost = clean_score if is_joined else clean_score - score(hypotheses, rows)
    if abs(cost) < MIN_COST and case.side != "both":
        return None
    verdict = Verdict(case.name, clean.name, cost)
    own_faults, own_texts = own(clean)
    findings = bleu.check_corpus(hypotheses, rows)
    if findings:
        verdict.first, verdict.told = findings[0].name, findings[0].cost
    verdict.is_named = verdict.first in case.names.split()
    right_side = {"hypotheses": "references", "references": "hypotheses"}.get(case.side, "")
    verdict.blamed = [
        f"{each.name} {100 * (each.cost or 0):.2f}{' (repair)' if each.action else ''}"
        for each in findings
        if each.side == right_side and (each.name, each.side) not in own_faults
    ]
    repaired, new_rows = repair_all(hypotheses, rows)
    after = score(repaired, new_rows) if len(repaired) == len(new_rows) else 0.0
    if len(repaired) == size:
        either = zip(repaired, clean.hypotheses, own_texts[0], strict=True)
        verdict.exact = sum(text in right for text, *right in either) / size
        for index in range(size):
            right = clean.hypotheses[index], own_texts[0][index]
            was_right = not is_joined and hypotheses[index] == right[0]
            verdict.harmed += was_right and repaired[index] not in right
            right_rows = clean_rows[index], own_texts[1][index]
            verdict.harmed += rows[index] == right_rows[0] and new_rows[index] not in right_rows
    told = after if is_joined else verdict.told
    if told is not None:
        verdict.is_close = abs(told - cost) <= max(MIN_COST, CLOSE * abs(cost))
    return verdict


@cache
def _own(name: str, *sides: tuple[str, ...]) -> tuple[set[tuple[str, str]], Texts]:
    hypotheses, rows = list(sides[0]), [[line] for line in sides[1]]
    faults = {(each.name, each.side) for each in bleu.check_corpus(hypotheses, rows)}
    return faults, repair_all(hypotheses, rows)


def own(clean: TextSet) -> tuple[set[tuple[str, str]], Texts]:
    """Return the findings that the clean texts have, by name and side; and the texts repaired."""
    return _own(clean.name, tuple(clean.hypotheses), tuple(clean.references))


def repair_all(hypotheses: Sequence[str], rows: Sequence[Sequence[str]]) -> Texts:
    """Return the texts after the repair that is offered first, again and again."""
    done: set[str] = set()
    texts = list(hypotheses), [list(row) for row in rows]
    for _ in range(MAX_REPAIRS):
        actions = [each.action for each in bleu.check_corpus(*texts)]
        names = [a.removeprefix("repair:") for a in actions if a.startswith("repair:")]
        name = next((each for each in names if each not in done), "")
        if not name:
            break
        done.add(name)
        texts = bleu.repair_corpus(*texts, [name])
    return texts


def judge_all(sets: Sequence[TextSet]) -> list[Verdict]:
    """Return what the check-up says of all corruptions of these sets."""
    pairs = ((case, texts) for texts in sets for case in cases_of(texts))
    return list(filter(None, (judge(*pair) for pair in pairs)))


def cases_of(texts: TextSet) -> Iterator[Case]:
    """Yield the corruptions that a set is for."""
    for case in CASES:
        if case.language == (texts.name if texts.name in DAMAGED else ""):
            yield case


def main() -> None:
    """Print the shares and, with `--list`, each corruption."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description="The check-up on corruptions in no list.")
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--list", action="store_true", help="list each corruption")
    options = parser.parse_args()
    sets = [*read_sets(options.data), *map(language_set, DAMAGED)]
    verdicts = [each for part in in_processes(judge_all, sets) for each in part]
    if options.list:
        print(*verdicts, sep="\n")
    total = len(verdicts)
    for what, count in (
        ("the right cost", sum(each.is_close for each in verdicts)),
        ("the right name", sum(each.is_named for each in verdicts)),
        ("both", sum(each.is_close and each.is_named for each in verdicts)),
        ("a repair that changes right lines", sum(each.harmed > 0 for each in verdicts)),
        ("blame for the right side", sum(bool(each.blamed) for each in verdicts)),
    ):
        print(f"{what}: {count} of {total} ({count / total:.0%})")


if __name__ == "__main__":
    main()
