"""The state of the page: inputs, file settings, links, the saved form and the undo history.

Pure: never imports a view or anything that needs a browser.
"""
