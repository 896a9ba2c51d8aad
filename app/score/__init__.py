"""The view Score: the form, the result and its figures.

Only a controller needs a browser; never another view.
"""
