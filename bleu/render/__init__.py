"""Renderers for documents (HTML, text, Markdown, LaTeX, SVG) and derivations (JSON, CSV).

Each module renders one format and never computes a score. The text comes from the document, except
for a few labels that only one format needs, such as those for screen readers.
"""
