"""The version, alone in a file so that every tool can read it without importing the library."""

__version__ = "1.0.0"
