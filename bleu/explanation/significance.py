"""The meaning of p-values."""


def p_value_meaning(p_value: float) -> str:
    """Return the meaning of a p-value, and a common misreading."""
    percent = float(f"{p_value:.2g}") * 100
    return (
        f"If the systems differed by chance only, about {percent:.3g} % "
        "of test sets like this one would show a larger difference. It is not the probability "
        "that the systems are equally good, and it does not say that the difference matters."
    )


def multiple_tests_text(count: int) -> str:
    """Return the meaning of several p-values, which are not corrected for multiple testing."""
    return (
        f"Each of the {count} p-values compares one system with the baseline. If the two "
        "differed by chance only, a share of about p of test sets like this one would show a "
        "larger difference. The p-values are not corrected for multiple testing."
    )
