"""Many segments: their files, their sum, and the significance of a difference.

Segments are counted by `core`; text that explains a number never comes in.
"""
