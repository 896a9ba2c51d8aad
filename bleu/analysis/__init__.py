"""Questions about a result: scores by other tools, faults of the input, effects of single words.

The functions return data with short sentences; documents and output formats are never used here.
"""
