"""Scoring: tokens, counts, clipping and the score, by the rules of `metric`.

The packages above build on this one; it imports none of them and never formats a document. Its only
text is error messages and the words for tokenizers. `score` and `statistics` see numbers only,
never text.
"""
