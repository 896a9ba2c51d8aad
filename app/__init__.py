"""The page: what the form means, its HTML, and the tools that build and serve it."""
