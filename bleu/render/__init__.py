"""Renderers for documents (HTML, text, Markdown, LaTeX, SVG), derivations and quiz questions.

They never compute a score. The text comes from the document, except for a few labels that only one
format needs, such as those for screen readers.
"""
