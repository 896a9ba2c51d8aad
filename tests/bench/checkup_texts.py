"""Clean texts for measuring the check-up: real ones from a folder, and seeded generated ones."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TextSet:
    """The output of a system with its reference, and its source if there is one."""

    name: str
    hypotheses: list[str]
    references: list[str]
    sources: list[str] | None = None
    tokenizer: str = "13a"

    def draw(self, rng: random.Random, count: int) -> "TextSet":
        """Return segments drawn with replacement."""
        indices = rng.choices(range(len(self.hypotheses)), k=count)
        sides = (self.hypotheses, self.references, self.sources)
        drawn = [side and [side[index] for index in indices] for side in sides]
        return TextSet(self.name, *drawn, self.tokenizer)

    def part(self, start: int, count: int) -> "TextSet":
        """Return consecutive segments."""
        sides = (self.hypotheses, self.references, self.sources)
        parts = [side and side[start : start + count] for side in sides]
        return TextSet(self.name, *parts, self.tokenizer)


def read_sets(folder: Path) -> list[TextSet]:
    """Return a set for every `NAME.SYSTEM.txt` beside `NAME.ref.….txt` and `NAME.src.….txt`."""
    (reference_path,) = folder.glob("*.ref.*.txt")
    name = reference_path.name.split(".ref.")[0]
    (source_path,) = folder.glob(f"{name}.src.*.txt")
    references, sources = _read_lines(reference_path), _read_lines(source_path)
    return [
        TextSet(path.name.split(".")[-2], _read_lines(path), references, sources)
        for path in sorted(folder.glob(f"{name}.*.txt"))
        if path not in (reference_path, source_path)
    ]


def _read_lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


SYLLABLES = {
    "Latin": "ba ce da fo ga hi ka le mo na pe ra si to vu wa ter ning tion ment ly",
    "accents": "bé çe dà fö ga hï ka lê mo ñe pe ra ši tó vü wa ter ción ment ão ré",
    "Cyrillic": "ба ве го де жи за ко ле мо на пе ра си то ву ха ние ость ский й ё",
    "Korean": "가 나 다 라 마 바 사 아 자 차 한 국 어 는 을 에 서 로 학 생",
    "Arabic": "با تا من في لك هو را سا عل نا قد ما ير ون ات",
}
UNSPACED = {
    "Chinese": ([chr(0x4E00 + 7 * n) for n in range(900)], "，", "。"),
    "Thai": ([a + b for a in "กขคงจชดตนบปพมยรลวสหอ" for b in ("า", "ิ", "ี", "ึ", "ะ")], " ", ""),
}
STOCK_LINES = (
    "Yes. No. What? Come on. Okay. I don't know. Thank you. Let's go. Oh! Hey! Wait! "
    "Are you okay? I'm sorry. Please. All right. Of course. Where are you?"
)


def generate_sets(seed: int = 1, count: int = 200) -> list[TextSet]:
    """Return sets of news in several scripts, repeated subtitles and short segments."""
    rng = random.Random(seed)
    sets = []
    for name, syllables in SYLLABLES.items():
        words = make_vocabulary(rng, syllables.split())
        references = [_sentence(rng, words, rng.randint(8, 30)) for _ in range(count)]
        foreign = SYLLABLES["Cyrillic" if name == "Latin" else "Latin"]
        other_script = make_vocabulary(rng, foreign.split())
        sources = [_sentence(rng, other_script, 20) for _ in range(count)]
        outputs = [translate(rng, line, words) for line in references]
        sets.append(TextSet(name, outputs, references, sources))
    for name, (characters, comma, period) in UNSPACED.items():
        references = [_unspaced(rng, characters, comma, period) for _ in range(count)]
        outputs = [
            "".join(rng.choice(characters) if rng.random() < 0.2 else c for c in line[:-1])
            + line[-1]
            for line in references
        ]
        sets.append(TextSet(name, outputs, references, None, "zh" if name == "Chinese" else "char"))
    words = make_vocabulary(rng, SYLLABLES["Latin"].split(), 800)
    stock = STOCK_LINES.replace("? ", "?|").replace(". ", ".|").replace("! ", "!|").split("|")
    references = [
        rng.choice(stock) if rng.random() < 0.3 else _sentence(rng, words, rng.randint(3, 9))
        for _ in range(count)
    ]
    sets.append(TextSet("subtitles", [_vary(rng, x, words) for x in references], references))
    references = [
        " ".join(rng.choices(words, k=rng.randint(1, 4))).capitalize() for _ in range(count)
    ]
    sets.append(TextSet("short", [_vary(rng, x, words) for x in references], references))
    return sets


def make_vocabulary(rng: random.Random, syllables: Sequence[str], size: int = 3000) -> list[str]:
    """Return words from the most frequent to the rarest: frequent words are short."""
    words = dict[str, None]()
    while len(words) < size:
        words["".join(rng.choices(syllables, k=rng.randint(1, 2 + (len(words) > 40))))] = None
        if len(words) < 40:
            words[rng.choice(syllables)] = None
    return list(words)


def _zipf(rng: random.Random, words: Sequence[str], count: int) -> list[str]:
    """Return words by Zipf's law."""
    return [words[min(len(words) - 1, int(5 * (rng.paretovariate(0.7) - 1)))] for _ in range(count)]


def _sentence(rng: random.Random, words: Sequence[str], count: int) -> str:
    """Return a sentence with the punctuation, names and numbers of news."""
    chosen = _zipf(rng, words, count)
    for index in range(count):
        while chosen[index] in chosen[max(0, index - 3) : index]:
            chosen[index] = rng.choice(words)
        kind = rng.random()
        if kind < 0.06:
            chosen[index] += ","
        elif kind < 0.1:
            chosen[index] = chosen[index].capitalize()
        elif kind < 0.13:
            chosen[index] = str(rng.choice([rng.randint(2, 99), rng.randint(1900, 2030)]))
        elif kind < 0.15:
            chosen[index] += "'s"
        elif kind < 0.17 and index:
            chosen[index] += f"-{chosen[index - 1].strip(',')}"
        elif kind < 0.18:
            chosen[index] = f"({chosen[index]})"
    if count > 6 and rng.random() < 0.25:
        start = rng.randrange(count - 4)
        chosen[start], chosen[start + 3] = f'"{chosen[start]}', f'{chosen[start + 3]}"'
    text = " ".join(chosen).rstrip(",")
    return text[0].upper() + text[1:] + rng.choice([".", ".", ".", ".", ".", "?", "...", "!"])


def _unspaced(rng: random.Random, characters: Sequence[str], comma: str, period: str) -> str:
    runs = ["".join(_zipf(rng, characters, rng.randint(4, 12))) for _ in range(rng.randint(1, 4))]
    return comma.join(runs) + period


def translate(rng: random.Random, line: str, words: Sequence[str]) -> str:
    """Return a line like a good translation: words replaced, left out, added, or swapped."""
    output = []
    for index, word in enumerate(line.split()):
        kind = rng.random()
        if word.isalpha() and word == word.lower() and index and kind < 0.3:
            replacement = _zipf(rng, words, 1)
            output += [] if kind < 0.03 else [word, *replacement] if kind > 0.27 else replacement
        else:
            output.append(word)
    return " ".join(output)


def _vary(rng: random.Random, line: str, words: Sequence[str]) -> str:
    return line if rng.random() < 0.4 else translate(rng, line, words)
