"""The command line: options, files and exit codes for a segment and for a corpus.

It puts the other rooms together; a rule of its own about BLEU never comes in.
"""
