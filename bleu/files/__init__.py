"""Files of texts: the lines, tables, markup and subtitles that hold hypotheses and references.

This package never scores a text.
"""
