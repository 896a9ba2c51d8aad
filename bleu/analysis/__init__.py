"""Questions about a result: who else gives which number, what looks wrong, what a word is worth.

The answers are data; their wording never comes in, it stands in `explanation`.
"""
