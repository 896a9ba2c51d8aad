"""The view Other tools: implementations, tokenizers, what if, which BLEU, code.

Only controllers need a browser; never imports another view.
"""
