"""Commands: methods that buttons name in `data-command`."""

from collections.abc import Callable
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., object])
Command = Callable[[str], object]
"""A command takes the text after the colon in `data-command="name:argument"`, or ""."""


def command(name: str) -> Callable[[Method], Method]:
    """Mark a method as the command of this name."""

    def mark(method: Method) -> Method:
        method.command_name = name  # type: ignore[attr-defined]
        return method

    return mark


def commands_of(*owners: Any, prefix: str = "") -> dict[str, Command]:
    """Return the commands of objects as bound methods; each key is `prefix` and the name."""
    return {
        f"{prefix}{method.command_name}": getattr(owner, attribute)
        for owner in owners
        for base in reversed(type(owner).__mro__)
        for attribute, method in vars(base).items()
        if hasattr(method, "command_name")
    }
