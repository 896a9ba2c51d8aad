"""Values in messages: the repr of any value, cut to a length that can be read."""


def short_repr(value: object, length: int = 60) -> str:
    """Return the repr of a value, cut to `length` characters, or its type if repr fails.

    >>> short_repr("a" * 20, 10), short_repr(10**5000)
    ("'aaaaaaaa…", 'a value of type int with too many digits')
    """
    try:
        text = repr(value)
    except ValueError:  # Python prints no integer of more than 4,300 digits.
        return f"a value of type {type(value).__name__} with too many digits"
    return text if len(text) <= length else f"{text[: length - 1]}…"
