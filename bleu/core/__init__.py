"""Scoring: tokens, counts, clipping, smoothing, the brevity penalty and the score.

All other packages build on this one; it imports none of them and never formats a document. Its only
text is error messages and the descriptions of the conventions. `score` and `smoothing` see numbers
only, never text.
"""
