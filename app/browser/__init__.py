"""Browser code that several views use: document, commands, timers, storage and notices.

Never imports a view, and never holds a rule about BLEU or about the meaning of the form.
"""
