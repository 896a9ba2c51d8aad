"""Exercises on BLEU: what people get wrong, questions that bring it out, and marking that names it.

Numbers, choices and short sentences to the learner. A document or a format never comes in here.
"""
