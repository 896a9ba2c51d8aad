"""The command line: options, files, output and exit codes.

It combines the other packages, and never contains a rule of BLEU.
"""
