"""Questions about a result: scores by other tools, which BLEU, zero, effects of single words.

The functions return data with short sentences; documents and output formats are never used here.
"""
