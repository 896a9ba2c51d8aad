"""The forms of a document (HTML, text, Markdown, LaTeX, SVG) and of a derivation (JSON, CSV).

A module renders one form; a computation never comes in. The words come with the document, but for
the few that only a form needs, such as what marks a matched token for those who hear the page.
"""
