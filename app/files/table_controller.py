"""The open table, and the columns chosen from it."""

from collections.abc import Callable
from typing import Any

from pyscript import document

from app.browser.dom import element, show_file_error, show_prose
from app.browser.page import command
from app.files.form_html import column_choices
from app.files.job_list_controller import TABLE, JobList, clear_file_input
from app.files.open_files_controller import OpenFiles
from app.files.reading import read_columns, read_table
from app.files.tables import UNSCORED, FoundTable, TextSource, column_roles
from bleu.corpus.data_table import DataTable
from bleu.corpus.text_files import FileError
from bleu.explanation.phrases import name_text


class TablePanel:
    """The open table; its chosen columns are opened in the slots for files."""

    def __init__(self, jobs: JobList, files: OpenFiles) -> None:
        self.jobs, self.files = jobs, files
        self.raw_table: DataTable | None = None
        """The table as it was read."""
        self.slot_and_lines: tuple[str, TextSource] | None = None
        """The slot for which a text file with the table was opened, and the lines of the file."""
        self.table: DataTable | None = None
        """The table as it is used: its first row may be data instead of column names."""
        self.opened_columns: dict[str, list[int]] | None = None
        """The indices of the open columns by slot, or None if none were opened yet."""

    def read(self, file: Any) -> None:
        """Read a table from its file."""
        self.jobs.start_job(TABLE, read_table(file), self.show)

    def show(self, table: DataTable, slot_and_lines: tuple[str, TextSource] | None = None) -> None:
        """Show the columns of a table with their likely roles."""
        self.raw_table = self.table = table
        self.slot_and_lines, self.opened_columns = slot_and_lines, None
        element("table-file").open = True
        element("columns").innerHTML = column_choices(
            table, column_roles(table), has_text=bool(slot_and_lines)
        )

    def show_found(self, slot: str, found: FoundTable) -> None:
        """Show the columns of a table that was given for a slot."""
        self.jobs.stop_job(TABLE)
        clear_file_input(slot)
        self.show(found.table, (slot, found.origin) if found.origin else None)
        note = f"{name_text(found.table.name)} is a table. Choose what its columns are used as."
        show_prose(element("corpus-note"), note)
        element("columns").scrollIntoView(False)

    @command("table-as-text")
    def use_as_text(self, _: str) -> None:
        """Open the lines of the table as text in the slot that it was given for."""
        if self.slot_and_lines:
            slot, source = self.slot_and_lines
            self.close("")
            element("corpus-note").textContent = ""
            self.files.add_sources(slot, [[source]])

    def set_header_row(self, *, has_names: bool) -> None:
        """Use the first row of the table as column names, or as data."""
        if not self.raw_table:
            return
        self.jobs.stop_job(TABLE)  # A running job reads columns under the previous choice.
        roles = [str(menu.value) for menu in document.querySelectorAll("#columns [data-column]")]
        self.table = self.raw_table if has_names else self.raw_table.without_header
        self.opened_columns = None
        element("columns").innerHTML = column_choices(
            self.table, roles, has_names=has_names, has_text=bool(self.slot_and_lines)
        )
        element("columns-named").focus()

    def chosen_columns(self) -> dict[str, list[int]]:
        """Return the indices of the chosen columns by slot.

        Groups and sources are always included, so that those of another table are cleared.
        """
        columns_by_slot: dict[str, list[int]] = {slot: [] for slot in UNSCORED}
        for menu in document.querySelectorAll("#columns [data-column]"):
            if menu.value:
                columns_by_slot.setdefault(menu.value, []).append(int(menu.dataset.column))
        return columns_by_slot

    def has_unopened_columns(self) -> bool:
        """Return whether the chosen columns differ from the open ones."""
        return bool(self.table) and self.chosen_columns() != self.opened_columns

    @command("use-columns")
    def open_chosen_columns(self, _: str = "", *, on_end: Callable[[], None] | None = None) -> None:
        """Open the chosen columns in their slots, all or none; then call `on_end`.

        Slots without a chosen column keep their open files.
        """
        if not self.table:
            return
        show_file_error("")
        columns_by_slot = self.chosen_columns()
        for slot, role in (("references", "reference"), ("system", "system")):
            if slot not in columns_by_slot and (
                slot in (self.opened_columns or {}) or not self.files.sources(slot)
            ):
                name = name_text(self.table.name)
                message = f"No column of {name} is used as a {role}. Choose one."
                self.jobs.show_error(FileError(message), TABLE)
                return
        self.files.column_slots = set(columns_by_slot)
        for slot in columns_by_slot:
            self.jobs.drop_job(slot)

        def open_columns(sources: dict[str, list[TextSource]]) -> None:
            self.opened_columns = columns_by_slot
            self.files.close_example()
            for slot in sources:
                if slot in self.files.column_slots:
                    self.files.open_sources[slot] = sources[slot]
                    self.files.show_open_files(slot)
            if on_end:
                on_end()

        self.jobs.start_job(TABLE, read_columns(self.table, columns_by_slot), open_columns)

    @command("close-table")
    def close(self, _: str) -> None:
        """Close the table; the columns opened from it stay open."""
        self.table = self.raw_table = self.opened_columns = self.slot_and_lines = None
        element("columns").innerHTML = ""
        clear_file_input(TABLE)
        element("corpus-table-file").focus()
