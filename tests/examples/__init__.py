"""Examples for users: a notebook that goes through a class, and the switch from other libraries."""
