"""The form for files as HTML: open files, names of systems, columns of a table, progress."""

from collections.abc import Sequence
from html import escape
from typing import Final

from app.components import button, options
from app.files.listing import excerpt
from app.files.reading import MEGABYTE, ROLES, TextSource
from bleu.core.progress import Progress
from bleu.explanation.phrases import count_with_noun
from bleu.files.data_table import GROUPS, UNUSED, DataTable
from bleu.files.matching import text_columns
from bleu.render import html

PLAIN_LABEL: Final = "Use its lines as text"
"""The label of the button that scores the lines of a table or of markup as they are."""

MAX_CELL_CHARACTERS: Final = 80
"""Characters shown of the first entry of a column."""

_UNKNOWN_ROLE_LABELS: Final = ROLES | {UNUSED: "not known: choose"}
"""The labels of the roles for a column whose name suggests no role."""


def source_item(slot: str, index: int, source: TextSource) -> str:
    """Return a file with its number of lines or groups, or its refusal, and buttons that apply."""
    name, css_class = html.user_text(source.name), ' class="remove"'
    spoken = f'<span class="spoken">: {name}</span>'
    buttons = button(
        f"close:{slot}:{index}", f'Close<span class="spoken"> {name}</span>', css_class
    )
    if source.origin:
        buttons = button(f"plain:{slot}:{index}", PLAIN_LABEL + spoken, css_class) + buttons
    lines = source.extent if source.lines or not source.table else "choose the column"
    lines += html.prose(f"; {source.rival}" if source.rival else "")
    if slot == GROUPS:
        lines = count_with_noun(len(set(source.lines)), "group")
    if source.refusal:
        text = html.prose(f"Not read: {source.refusal}.")
        return f'<li class="refused"><span>{text}</span>{buttons}</li>'
    choice = _column_choice(f"{slot}:{index}", source) if slot != GROUPS else ""
    return f"<li><span>{name}: {lines}</span>{buttons}{choice}</li>"


def _column_choice(item: str, source: TextSource) -> str:
    """Return the menu of the columns of the file of a source, and whether its first row is data."""
    table = source.table
    if not table or table.has_one_text or len(table.columns) < 2:
        return ""
    indices = sorted({*text_columns(table), *([] if source.column is None else [source.column])})
    labels = {"": "choose"} if source.column is None else {}
    labels |= {str(index): table.columns[index] for index in indices}
    chosen = "" if source.column is None else str(source.column)
    menu = (
        f'<select data-source-column="{item}" autocomplete="off">{options(labels, chosen)}</select>'
    )
    spoken = f'<span class="spoken">of {html.user_text(table.name)}</span>'
    header = ""
    if table.header:
        checked = " checked" if table.has_header else ""
        header = (
            f'<label class="check"><input type="checkbox" data-source-header="{item}"{checked} '
            f'autocomplete="off"> The first row names the columns {spoken}</label>'
        )
    return f'<div class="column"><label>Column {spoken}{menu}</label>{header}</div>'


def system_rows(systems: Sequence[tuple[str, str, str]], baseline: str) -> str:
    """Return the names of the systems in input boxes, and the choice of the baseline.

    Each system is given as its key, its default name, and its custom name or "".
    """
    rows = []
    for number, (key, default_name, custom_name) in enumerate(systems):
        name, checked = escape(default_name), " checked" if key == baseline else ""
        radio = (
            f'<label><input type="radio" name="corpus-baseline" value="{escape(key)}"{checked}> '
            f'baseline<span class="spoken">: {html.user_text(default_name)}</span></label>'
        )
        rows.append(
            f'<div class="system-row"><input type="text" id="corpus-name-{number}" '
            f'data-system="{escape(key)}" value="{escape(custom_name or default_name)}" '
            f'placeholder="{name}" dir="auto" maxlength="200" spellcheck="false" '
            f'autocomplete="off" translate="no" aria-label="Name of {name}">'
            f"{radio if len(systems) > 1 else ''}</div>"
        )
    return f"<legend>Names of the systems</legend>{''.join(rows)}" if systems else ""


def column_choices(table: DataTable, roles: Sequence[str | None], *, has_text: bool = False) -> str:
    """Return the columns of a table with their roles and their first entries.

    `has_text` adds a button to use the lines of the file as they are.
    """
    checked = " checked" if table.has_header else ""
    heading = (
        f'<div class="check"><input type="checkbox" id="columns-named"{checked} autocomplete="off">'
        '<label for="columns-named">The first row names the columns</label></div>'
        if table.header
        else ""
    )
    rows = "".join(
        f'<tr><th scope="row"><label for="column-{n}">{html.user_text(name)}</label></th>'
        f'<td><select id="column-{n}" data-column="{n}" autocomplete="off">'
        f"{options(ROLES if role is not None else _UNKNOWN_ROLE_LABELS, role or UNUSED)}</select>"
        f'</td><td class="words">{html.user_text(_first_entry(table, n))}</td></tr>'
        for n, (name, role) in enumerate(zip(table.columns, roles, strict=True))
    )
    buttons = button("use-columns", "Use these columns", ' id="use-columns"')
    buttons += button("table-as-text", PLAIN_LABEL) if has_text else ""
    return (
        f"<fieldset><legend>Columns of {html.user_text(table.name)}, "
        f"{count_with_noun(len(table.rows), 'row')}</legend>"
        '<div class="table"><table class="columns"><thead><tr><th scope="col">Column</th>'
        '<th scope="col">Used as</th><th scope="col" class="words">First entry</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{heading}"
        f'<div class="buttons">{buttons}{button("close-table", "Close the table")}</div></fieldset>'
    )


def _first_entry(table: DataTable, column: int) -> str:
    """Return an excerpt of the first entry of a column."""
    cell = table.rows[0][column] if table.rows else ""
    cells = cell if isinstance(cell, list) else [cell]
    text = " | ".join("" if value is None else str(value) for value in cells)
    return excerpt(text[:MAX_CELL_CHARACTERS]) + (" …" if len(text) > MAX_CELL_CHARACTERS else "")


def remaining_time_text(seconds: float, progress: Progress) -> str:
    """Return how much is done and, once a second has passed, the time that is left.

    It includes the work of the tasks that follow.

    >>> remaining_time_text(2.0, Progress("scoring", 1000, 4000))
    '1,000 of 4,000, about 6 s left'
    >>> remaining_time_text(2.0, Progress("scoring", 1000, 4000, later=8000))
    '1,000 of 4,000, about 22 s left'
    >>> remaining_time_text(0.1, Progress("reading", 1_500_000, 30_000_000, "MB"))
    '1.4 of 28.6 MB'
    """
    done, total = progress.done, progress.total
    text = f"{done:,} of {total:,}"
    if progress.unit == "MB":
        text = f"{done / MEGABYTE:.1f} of {total / MEGABYTE:.1f} MB"
    if seconds < 1 or not done:
        return text
    return f"{text}, about {seconds / done * (total - done + progress.later):.0f} s left"
