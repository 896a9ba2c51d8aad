"""The Learn view: the lesson, practice, worksheets, and the tally of a class.

Only controllers need a browser; never imports another view.
"""
