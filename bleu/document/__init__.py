"""Documents as data: paragraphs, tables, figures, and formulas whose symbols carry values.

This package never computes a number and knows no output format: `explanation` builds documents and
`render` formats them.
"""
