"""The Other tools view: implementations, tokenizers, what if, which BLEU, code.

Only controllers need a browser; never imports another view.
"""
