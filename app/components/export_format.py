"""What the format of a file to take along is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ExportFormat(Generic[T]):
    """A format to export something in: its name, a file's ending and type, and its maker."""

    label: str
    extension: str
    media_type: str
    render: Callable[[T], str]
