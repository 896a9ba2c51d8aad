"""The Files view: reading, scoring, results and segments of whole files.

Only controllers need a browser; the modules never import another view.
"""
