"""What defines BLEU and its variants: `method.py` is the metric, on one screen.

This package imports the standard library alone, and never a text, a setting or a document.
"""
