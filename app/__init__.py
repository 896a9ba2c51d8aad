"""The page: its views, the code for the browser, and the tools that build and serve it."""
