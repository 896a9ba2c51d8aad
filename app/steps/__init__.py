"""The Step by step view: the derivation, and its presentation one step at a time.

Only controllers need a browser; the modules never import another view.
"""
