"""The command line: options, files, output and exit codes.

It puts the other packages together; a rule of BLEU never comes in.
"""
