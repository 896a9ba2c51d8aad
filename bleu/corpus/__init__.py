"""Many segments: their files, their sum, and the significance of a difference.

`core` counts the segments. This package never explains a number.
"""
