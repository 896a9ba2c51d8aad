"""Display of results in notebooks, as HTML, Markdown and LaTeX.

This package combines the other packages; it never adds a rule about BLEU.
"""
