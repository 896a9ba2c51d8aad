"""Exercises on BLEU: misconceptions, exercises that reveal them, grading that names them.

The learner sees numbers, choices and short sentences; documents and renderers are never used here.
"""
