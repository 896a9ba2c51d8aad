"""The Learn view: the lesson, practice, worksheets, and the tally of a class.

Only controllers need a browser; the modules never import another view.
"""
