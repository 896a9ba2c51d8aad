"""The view Other tools: implementations, tokenizers, what if, which BLEU, code.

Only a controller needs a browser; never another view.
"""
