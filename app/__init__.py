"""The page: its pure functions, what needs a browser, and the tools that build and serve it."""
