"""What a notebook shows of a result: its document as HTML, Markdown and LaTeX.

It puts the other rooms together; a rule of its own about BLEU never comes in.
"""
