"""Questions about a result: who else gives which number, what looks wrong, what a word is worth.

The answers are data, a diagnosis one sentence each; a document or a format never comes in.
"""
