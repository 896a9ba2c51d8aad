"""The check-up: the faults of texts, what each costs in BLEU, and their repairs.

Every fault is a proposed change of the texts: its kind, a phrase, a side, a function that undoes
it, and a proof (marks that no text has, strings around many lines, replacements learned from the
other side, or a measure by its words, which is no repair). `proposals` is the table of what
proposes changes. One judge (`ScoredRows.undo`) tries a change on a sample of lines, or on all: how
many match better, how many worse, and what the score gains. One loop (`CheckUp`) makes the best
accepted change in all lines, and asks again, so costs add up; a repair is the same loop with some
kinds. Before it, files of other lengths are joined (`joining`), and lines put in order
(`alignment`). The functions return data with short sentences; documents and output formats are
never used here.
"""
