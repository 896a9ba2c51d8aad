"""The error of a setting: its name, what is wrong, and what to do."""


class SettingError(ValueError):
    """A setting that cannot be used, or not with the other settings and these texts.

    - `setting`: the name of the setting to change.
    - `problem`: its value and what is wrong with it; `remedy`: what to do instead.

    >>> error = SettingError("max_order", "max_order is 0", "choose a whole number from 1 to 9")
    >>> error.setting, str(error)
    ('max_order', 'max_order is 0; choose a whole number from 1 to 9')
    """

    __module__ = "bleu"  # Its public name.

    def __init__(self, setting: str, problem: str, remedy: str) -> None:
        super().__init__(setting, problem, remedy)  # All of it, so that it can be pickled.
        self.setting, self.problem, self.remedy = setting, problem, remedy

    def __str__(self) -> str:
        """Return the problem and the remedy."""
        return f"{self.problem}; {self.remedy}"


def problem_of(error: ValueError) -> str:
    """Return what is wrong, without the remedy if the error is that of a setting.

    >>> problem_of(SettingError("max_order", "N is 0", "choose 1")), problem_of(ValueError("x"))
    ('N is 0', 'x')
    """
    return error.problem if isinstance(error, SettingError) else str(error)
