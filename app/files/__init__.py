"""The view Files: tables, reading, scoring, results and segments of whole files.

Only a controller needs a browser; never another view.
"""
