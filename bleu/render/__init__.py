"""The forms of a document (HTML, text, Markdown, LaTeX) and of a derivation (JSON, CSV)."""
