"""Export formats: label, file extension, media type and renderer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ExportFormat(Generic[T]):
    """A format in which results of type `T` can be exported."""

    label: str
    extension: str
    media_type: str
    render: Callable[[T], str]
