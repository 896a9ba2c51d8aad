"""Code for the browser that several views use: document, timers, highlight, links and notices.

Never imports a view, and never holds a rule about BLEU or about the meaning of the form.
"""
