"""The host's tools: they make the folder that is served, from the npm packages and the sources.

None of it is shipped; what the page itself needs never comes in. README.md tells what is done to
Pyodide, and why.
"""

from typing import Final

FAST: Final = "fast"
PLAIN: Final = "plain"
RUNTIMES: Final = (FAST, PLAIN)
"""Pyodide rewritten to start fast, or as its package has it."""
