"""The state of the page: inputs, file settings, links, the saved form and the undo history.

Pure: never a view, and never anything that needs a browser.
"""
