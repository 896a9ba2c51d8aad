"""The glossary: one word for each thing, in a sentence, and the words that nothing uses instead.

The page, the exports and the reference use these words; a test reads the texts of all views.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A term of BLEU.

    - `sentence`: what it is, in words of level B1.
    - `anchor`: the answer of the reference that explains it, or "".
    - `avoided`: other words for the same thing, which no text for people uses; in lower case.
    """

    term: str
    sentence: str
    anchor: str = ""
    avoided: tuple[str, ...] = ()


GLOSSARY: tuple[GlossaryEntry, ...] = (
    GlossaryEntry(
        "candidate",
        "The translation that is scored. Code and files call it the hypothesis.",
        "how-it-works",
        ("system output", "machine output", "hypotheses"),
    ),
    GlossaryEntry(
        "reference",
        "A correct translation that the candidate is compared with.",
        "how-it-works",
    ),
    GlossaryEntry(
        "token",
        "A piece of text that counts as one, usually a word or a punctuation mark.",
        "how-tokens",
    ),
    GlossaryEntry(
        "n-gram",
        "A run of n neighbouring tokens: a word, a pair, a triple, and so on.",
        "how-tokens",
        ("word pair", "token pair"),
    ),
    GlossaryEntry("order", "The length n of an n-gram: 1 for words, 2 for pairs.", "how-precision"),
    GlossaryEntry(
        "max N",
        "The longest n-grams that count: 4 in most reports.",
        "how-score",
        ("max order", "maximum order"),
    ),
    GlossaryEntry(
        "credited",
        "Counted as a match: a reference has this n-gram, and often enough.",
        "how-precision",
    ),
    GlossaryEntry(
        "cut off",
        "Not credited, because the candidate has this n-gram more often than any reference.",
        "how-precision",
        ("clipped off",),
    ),
    GlossaryEntry(
        "no match",
        "Said of an n-gram that no reference has.",
        "how-precision",
        ("in no reference", "without match"),
    ),
    GlossaryEntry(
        "clipped count",
        "How often an n-gram is credited: its count, at most the largest in one reference.",
        "how-precision",
    ),
    GlossaryEntry(
        "precision",
        "The credited share of the candidate’s n-grams of one order, written pₙ.",
        "how-precision",
    ),
    GlossaryEntry(
        "brevity penalty",
        "A factor below 1 if the candidate is shorter than its reference, written BP.",
        "how-brevity",
    ),
    GlossaryEntry(
        "smoothing",
        "A rule that gives an order without a match a small value instead of 0, or adds to counts.",
        "which-smoothing",
    ),
    GlossaryEntry(
        "cumulative",
        "BLEU-3 is cumulative: it combines the precisions of the orders 1 to 3.",
        "how-score",
    ),
    GlossaryEntry(
        "individual", "The precision of one order alone, such as p₃, is individual.", "how-score"
    ),
    GlossaryEntry(
        "segment",
        "A candidate with its references: usually one line of a file.",
        "corpus",
    ),
    GlossaryEntry(
        "signature", "One line that names the settings of a score, to copy into a report."
    ),
)
"""The terms, in the order in which they are needed."""
