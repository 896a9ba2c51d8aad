"""The build: makes the folder that is served, from the npm packages and the sources.

It runs on the host and is never shipped. README.md explains what it does to Pyodide, and why.
"""

from typing import Final

FAST: Final = "fast"
PLAIN: Final = "plain"
RUNTIMES: Final = (FAST, PLAIN)
"""The runtimes: Pyodide with a memory snapshot, or unchanged."""
