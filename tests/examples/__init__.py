"""Examples for users: a notebook for a class, and replacements of other libraries."""
