"""From text to score: tokens, counts, clipping, smoothing, the brevity penalty, and the score.

Everything else stands on this room; it imports no other, and a document or a format never comes
in. The only words are error messages and what is said of each convention. `score` and `smoothing`
see numbers only, never a text.
"""
