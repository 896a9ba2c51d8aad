"""The document in a form: HTML with native MathML, and plain text."""
