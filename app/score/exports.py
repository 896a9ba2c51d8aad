"""The export formats of a result."""

from collections.abc import Callable
from typing import Final

from app.components.export_format import ExportFormat
from app.state.form import PageSnapshot
from bleu.render import csv, html, html_page, json, latex, markdown, svg, text

EXPORT_FORMATS: Final[dict[str, ExportFormat[Callable[[PageSnapshot], str]]]] = {
    "markdown": ExportFormat(
        "Markdown", "md", "text/markdown", lambda snapshot: markdown.render(snapshot.document)
    ),
    "latex": ExportFormat(
        "LaTeX", "tex", "application/x-tex", lambda snapshot: latex.render(snapshot.document)
    ),
    "text": ExportFormat(
        "Plain text", "txt", "text/plain", lambda snapshot: text.render(snapshot.document)
    ),
    "json": ExportFormat(
        "JSON", "json", "application/json", lambda snapshot: json.render(snapshot.derivation)
    ),
    "csv": ExportFormat(
        "CSV of the n-grams", "csv", "text/csv", lambda snapshot: csv.render(snapshot.derivation)
    ),
    "svg": ExportFormat(
        "Picture (SVG)", "svg", "image/svg+xml", lambda snapshot: svg.render(snapshot.document)
    ),
    "html": ExportFormat(
        "Web page (HTML)",
        "html",
        "text/html",
        lambda snapshot: html.with_language(
            html_page.render(snapshot.document), snapshot.inputs.lang
        ),
    ),
}
"""The formats in menu order."""
