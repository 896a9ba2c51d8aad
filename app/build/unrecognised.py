"""The one error of all that rewrites Pyodide."""


class UnrecognisedError(ValueError):
    """A file of Pyodide or PyScript is not as a rewriting knows it; says what was looked for."""
