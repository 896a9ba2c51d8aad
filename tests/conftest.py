"""Test settings: hypothesis is repeatable, and has fewer examples where Python is slower."""

import os

from hypothesis import settings

settings.register_profile("default", deadline=None, derandomize=True, database=None)
settings.register_profile("pyodide", settings.get_profile("default"), max_examples=10)
settings.register_profile("thorough", settings.get_profile("default"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
