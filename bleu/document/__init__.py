"""Documents as data: paragraphs, tables, figures, and formulas whose symbols carry values.

This package never knows about BLEU or output formats: `explanation` builds documents and `render`
formats them.
"""
