"""The view Learn: lesson, practice, worksheets and the answers of a class.

Only a controller needs a browser; never another view.
"""
