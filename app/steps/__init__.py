"""The view Step by step: the derivation, and its presentation one step at a time.

Only a controller needs a browser; never another view.
"""
