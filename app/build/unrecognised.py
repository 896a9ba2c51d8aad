"""The error that makes the build use the plain runtime."""


class UnrecognisedError(ValueError):
    """A file of Pyodide or PyScript that is not as the build expects."""
