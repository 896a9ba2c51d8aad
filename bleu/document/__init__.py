"""A small document: paragraphs, tables and figures, and formulas as trees that carry their values.

It knows nothing of BLEU, and never of a format: `explanation` fills it and `render` prints it.
"""
