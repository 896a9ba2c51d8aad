"""From text to score: tokens, counts, clipping, smoothing, the brevity penalty, and the score.

Everything else stands on this room; it imports no other, and an explanation or a format never
comes in. `score` and `smoothing` see numbers only, never a text.
"""
