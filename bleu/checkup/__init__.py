"""The check-up: the faults of texts, what each costs in BLEU, and their repairs.

The functions return data with short sentences; documents and output formats are never used here.
"""
