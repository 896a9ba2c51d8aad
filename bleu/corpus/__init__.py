"""Many segments: their sum, the files they come from, and the significance of a difference.

What is counted comes from `core`; how a number is put into words never comes in.
"""
