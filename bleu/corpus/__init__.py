"""Corpora: their scores, and the significance of differences in score.

`core` counts the segments. This package never explains a number.
"""
