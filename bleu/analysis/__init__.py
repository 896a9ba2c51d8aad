"""Questions about a result: scores by other tools, faults of the input, effects of single words.

All answers are data, a finding one sentence; documents and output formats are never used here.
"""
