"""The forms of a document (HTML, text, Markdown, LaTeX, SVG) and of a derivation (JSON, CSV).

A module renders one form and computes nothing: BLEU, and the words for it, never come in.
"""
