"""The page without a browser: what the form means, its link, and its HTML, made by plain functions.

The build and the tests import it as the browser does; `pyscript` and `js` never come in.
"""
