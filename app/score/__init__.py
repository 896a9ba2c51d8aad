"""The Score view: the form, the result and its figures.

Only controllers need a browser; the modules never import another view.
"""
