"""Scoring: tokens, counts, clipping, smoothing, the brevity penalty and the score.

All other packages build on this one and on `metric`; it imports none of them and never formats a
document. Its only text is error messages and the words for tokenizers. `score` and `statistics` see
numbers only, never text.
"""
