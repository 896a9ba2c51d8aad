"""The only code that needs PyScript: it reads the form, asks `page`, and writes what that returns.

A rule about BLEU or about what the form means never comes in.
"""
