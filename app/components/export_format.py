"""Export formats: label, file extension, media type and renderer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Renderer = TypeVar("Renderer", bound=Callable[..., str | bytes])


@dataclass(frozen=True, slots=True)
class ExportFormat(Generic[Renderer]):
    """A format for export; `render` returns the content of the file."""

    label: str
    extension: str
    media_type: str
    render: Renderer
