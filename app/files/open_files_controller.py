"""The open files of each slot: pasted lines, drops, the columns of a table, and system names."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pyscript import document

from app.browser.dom import (
    element,
    listen,
    replace_text,
    reveal,
    set_hidden,
    show_file_error,
    show_prose,
)
from app.browser.page import command
from app.components import NOT_TRANSLATED, options
from app.files.example import EXAMPLE_SOURCES
from app.files.form_html import column_choices, source_item, system_rows
from app.files.job_list_controller import BOX_LABELS, TABLE, JobList, clear_file_input
from app.files.reading import (
    UNSCORED,
    Chooser,
    FoundTable,
    TextSource,
    choose_columns,
    chosen_sources,
    column_roles,
    default_system_names,
    file_names_text,
    guess_file_role,
    pasted_source,
    read_columns,
    read_files,
    read_role_texts,
    read_table,
    read_text,
)
from app.files.scoring import MAX_SYSTEMS
from app.state.inputs import is_model_file
from bleu.explanation.phrases import escape_invisible, name_text, token_text
from bleu.files.containers import detect_container
from bleu.files.data_table import REFERENCES, SOURCES, SYSTEM, DataTable
from bleu.files.formats import join
from bleu.files.matching import Chosen
from bleu.files.text_files import FileError

MULTIPLE_FILE_SLOTS = (SYSTEM, REFERENCES)
"""The slots to which files are added; other slots hold one file."""
NAME_NOTES = {
    REFERENCES: "taken for a reference because of the name",
    SOURCES: "taken for the source because of the name: the check-up uses it",
}
"""Notes on files that are put into a slot because of their names, by slot."""


class OpenFiles:
    """The open files and pasted lines, with the names of the systems and their baseline.

    `on_change` is called if files or lines have changed.

    A slot is a place for files in the form, such as "system" or "references". Each system has a
    key, which stays the same as long as it is open.
    """

    def __init__(self, jobs: JobList, on_change: Callable[[], None]) -> None:
        self.jobs, self.on_change = jobs, on_change
        self.table = TablePanel(jobs, self)
        self.open_sources: dict[str, list[TextSource]] = {
            slot: [] for slot in (*BOX_LABELS, *UNSCORED)
        }
        self.custom_names: dict[str, str] = {}
        """Names given to systems, by their keys."""
        self.default_names: dict[str, str] = {}
        """Names made from the names of the files, by the keys of the systems."""
        self.baseline = ""
        """The key of the baseline."""
        self.column_slots: set[str] = set()
        """Slots into which columns are being read; a file chosen meanwhile removes its slot."""
        self.version = 0
        """The number of changes so far."""

    def sources(self, slot: str) -> list[TextSource]:
        """Return the texts of a slot: open files, then pasted lines."""
        return [source for _, source in self.keyed_sources(slot)]

    def keyed_sources(self, slot: str) -> list[tuple[str, TextSource]]:
        """Return the texts of a slot with their keys."""
        label, open_sources = BOX_LABELS[slot], self.open_sources[slot]
        if slot == SYSTEM and open_sources:
            label = f"{label} {len(open_sources) + 1}"
        box = pasted_source(label, element(f"corpus-{slot}").value)
        sources = [source for source in open_sources if not source.refusal]
        opened = [(f"{slot}-{id(source)}", source) for source in sources]
        return [*opened, *([(slot, box)] if box.lines else [])]

    def joined_texts(self, system: str = "") -> tuple[list[TextSource], ...]:
        """Return systems, or the one with a key, references and sources, and show what was read.

        Raises FileError as `join` does.
        """
        systems = [source for key, source in self.keyed_sources(SYSTEM) if system in ("", key)]
        sources = [source for source in self.open_sources[SOURCES] if not source.refusal]
        texts = systems, self.sources("references"), sources
        *joined, notes = join(*texts, name_text)
        if notes:
            show_prose(element("corpus-note"), "".join(f"{note}. " for note in notes))
        return tuple(joined)

    def system_names(self) -> dict[str, str]:
        """Return the names of the systems by their keys."""
        return {key: self.custom_names.get(key) or name for key, name in self.default_names.items()}

    def show_systems(self) -> None:
        """Show the names of the systems for editing, and the choice of the baseline."""
        names = {key: source.name for key, source in self.keyed_sources(SYSTEM)}
        default_names = dict(zip(names, default_system_names(list(names.values())), strict=True))
        if list(default_names.items()) == list(self.default_names.items()):
            return
        self.default_names = default_names
        self.custom_names = {
            key: name for key, name in self.custom_names.items() if key in default_names
        }
        if self.baseline not in default_names:
            self.baseline = next(iter(default_names), "")
        rows = [(key, name, self.custom_names.get(key, "")) for key, name in default_names.items()]
        element("corpus-names").innerHTML = system_rows(rows, self.baseline)
        element("corpus-names").hidden = not rows
        self.update_system_menu()

    def update_system_menu(self) -> None:
        """Update the menu of the system for which to search the settings of a reported score."""
        menu = element("file-which-system")
        names = {key: token_text(name) for key, name in self.system_names().items()}
        menu.innerHTML = options(names, menu.value, NOT_TRANSLATED)
        menu.parentElement.hidden = len(self.default_names) < 2

    def set_name(self, key: str, name: str) -> None:
        """Give a system another name."""
        self.custom_names[key] = escape_invisible(name.strip())
        self.update_system_menu()

    def on_lines_changed(self) -> None:
        """Show the systems and report a change after files or pasted lines have changed."""
        self.show_systems()
        has_texts = bool(self.default_names or self.sources("references"))
        set_hidden(element("corpus-example"), has_texts, element("corpus-run"))
        set_hidden(element("another-system"), not self.default_names, element("corpus-system-file"))
        self.version += 1
        self.on_change()

    def show_open_files(self, slot: str) -> None:
        """Show the open files of a slot on the page, and report the change."""
        self.show_items(slot)
        if slot in BOX_LABELS:
            box = element(f"corpus-{slot}")
            is_open = not all(source.refusal for source in self.open_sources[slot])
            set_hidden(box, is_open and not box.textLength, element(f"{box.id}-file"))
        self.on_lines_changed()

    def show_items(self, slot: str) -> None:
        """Show the open and the refused files of a slot on the page."""
        items = (source_item(slot, n, source) for n, source in enumerate(self.open_sources[slot]))
        element(f"corpus-{slot}-opened").innerHTML = "".join(items)

    def open_example(self) -> None:
        """Open the texts of the example; opening a file closes them."""
        for slot, sources in EXAMPLE_SOURCES.items():
            self.open_sources[slot] = list(sources)
            self.show_open_files(slot)

    def close_example(self) -> None:
        """Close the texts of the example."""
        for slot, sources in EXAMPLE_SOURCES.items():
            remaining = [source for source in self.open_sources[slot] if source not in sources]
            if len(remaining) < len(self.open_sources[slot]):
                self.open_sources[slot] = remaining
                self.show_open_files(slot)

    @command("another-system")
    def paste_another(self, _: str) -> None:
        """Keep pasted lines as an open system, and empty the box for the next one."""
        box = element(f"corpus-{SYSTEM}")
        number = 1 + len(self.open_sources[SYSTEM])
        source = pasted_source(f"{BOX_LABELS[SYSTEM]} {number}", box.value)
        if source.lines:
            box.value = ""
            self.open_sources[SYSTEM].append(source)
            self.show_open_files(SYSTEM)
        box.hidden = False
        box.focus()

    def open_source(self, item: str) -> tuple[str, TextSource]:
        """Return the slot and the texts of an open file, given as "slot:index"."""
        slot, _, index = item.partition(":")
        return slot, self.open_sources[slot][int(index)]

    @command("close")
    def close(self, item: str) -> None:
        """Close an open file, given as "slot:index"."""
        slot, source = self.open_source(item)
        self.open_sources[slot] = [each for each in self.open_sources[slot] if each is not source]
        self.show_open_files(slot)
        file_input = element(f"corpus-{TABLE if slot in UNSCORED else slot}-file")
        file_input.value = ""
        file_input.focus()

    @command("plain")
    def use_as_text(self, item: str) -> None:
        """Replace the columns of an open file, given as "slot:index", by its lines."""
        slot, source = self.open_source(item)
        if origin := source.origin:
            sources = (origin if each is source else each for each in self.open_sources[slot])
            self.open_sources[slot] = [each for each in sources if each.origin is not origin]
        self.show_open_files(slot)
        element(f"corpus-{slot}-file").focus()

    def read(self, slot: str, files: Sequence[Any]) -> None:
        """Read files into a slot, all or none; for slot "", into slots that their names suggest.

        A slot for several files keeps its open files, and queues files chosen while others are
        read; in other slots, a new file stops the reading of the previous one. If the names of
        files chosen as systems suggest several roles, the files are placed by their names.
        """
        element("corpus-note").textContent = ""
        show_file_error("")
        is_alone = len(files) == 1
        roles = {guess_file_role(file.name, is_alone=is_alone) for file in files}
        if not slot or (slot == SYSTEM and len(roles) > 1):
            self.read_by_name(files)
        else:
            self.start_reading(slot, files)

    def start_reading(self, slot: str, files: Sequence[Any]) -> None:
        """Start or queue the reading of files; show an error if the slot takes only one file."""
        if len(files) > 1 and slot not in MULTIPLE_FILE_SLOTS:
            clear_file_input(slot)
            names = file_names_text(files)
            message = f"{names} are {len(files)} files, and there is room for one. Choose one."
            self.jobs.show_error(FileError(message), slot)
        elif slot in MULTIPLE_FILE_SLOTS and slot in self.jobs.jobs:
            self.jobs.queue(slot, partial(self.read, slot, files))
        elif slot == TABLE:
            self.table.read(files[0])
        elif slot in (*BOX_LABELS, SOURCES):
            self.column_slots.discard(slot)
            work = read_files(files, role_of(slot), self.chooser(slot, len(files)))
            on_end = partial(self.add_sources, slot)
            self.jobs.start_job(slot, work, on_end, partial(self.list_refusal, slot, files))
        else:
            self.jobs.start_job(slot, read_text(files[0]), partial(replace_text, slot))

    def list_refusal(self, slot: str, files: Sequence[Any], reason: str) -> None:
        """List files that could not be read, with the reason, until they are closed."""
        names = file_names_text(files)
        reason = f"{names}: {reason}" if len(files) > 1 else reason
        self.open_sources[slot].append(TextSource(names, [], refusal=reason.rstrip(".")))
        self.show_items(slot)

    def read_by_name(self, files: Sequence[Any]) -> None:
        """Read files into the slots that their names suggest; note which are not systems."""
        files_by_slot: dict[str, list[Any]] = {}
        for file in files:
            slot = guess_file_role(file.name, is_alone=len(files) == 1)
            files_by_slot.setdefault(slot, []).append(file)
        if TABLE in files_by_slot:
            element("table-file").open = True
        note = " ".join(
            f"{file_names_text(files_by_slot[slot])}: {note}."
            for slot, note in NAME_NOTES.items()
            if slot in files_by_slot
        )
        show_prose(element("corpus-note"), note)
        for slot, slot_files in files_by_slot.items():
            self.start_reading(slot, slot_files)

    def paste(self, slot: str, text: str) -> bool:
        """Open pasted lines as a table if they hold one, and return whether they do."""
        source = pasted_source(f"{BOX_LABELS[slot]}, pasted", text)
        if not detect_container(source.lines, role_of(slot)):
            return False
        steps = read_role_texts(source, role_of(slot), self.chooser(slot))
        self.jobs.start_job(slot, steps, lambda texts: self.add_sources(slot, [texts]))
        return True

    def add_sources(self, slot: str, contents: Sequence[list[TextSource] | FoundTable]) -> None:
        """Open texts in a slot, replacing its file if it takes only one; pass on found tables."""
        sources: list[TextSource] = []
        for content in contents:
            if isinstance(content, FoundTable):
                self.table.show_found(slot, content)
            else:
                sources += content
        if not sources:
            return
        self.close_example()
        old_sources = self.open_sources[slot] if slot in MULTIPLE_FILE_SLOTS else []
        if slot == "system" and len(old_sources) + len(sources) > MAX_SYSTEMS:
            clear_file_input(slot)
            counts = f"{len(old_sources)} are open, and you added {len(sources)} more"
            message = f"There is room for {MAX_SYSTEMS} systems: {counts}. Close some."
            self.jobs.show_error(FileError(message), slot)
        else:
            self.open_sources[slot] = [*old_sources, *sources]
        self.show_open_files(slot)
        self.choose_again(slot)

    # Columns

    def chooser(self, slot: str, files: int = 1) -> Chooser:
        """Return the function that chooses the columns of a table that is read for a slot."""
        other = SYSTEM if slot == REFERENCES else REFERENCES

        def choose(table: DataTable) -> tuple[DataTable, Chosen] | None:
            is_alone = files == 1 and slot != SOURCES and other not in self.jobs.jobs
            return choose_columns(table, slot, self.sources(other), is_alone=is_alone)

        return choose

    def choose_again(self, slot: str) -> None:
        """Choose the columns of the other side again, after texts of a slot have changed."""
        other = SYSTEM if slot == REFERENCES else REFERENCES
        if slot not in BOX_LABELS:
            return
        for source in {id(source.table): source for source in self.open_sources[other]}.values():
            if source.table and not source.is_chosen:
                choice = choose_columns(source.table, other, self.sources(slot))
                used = {s.column for s in self.open_sources[other] if s.table is source.table}
                if choice and choice[1].indices:
                    table, chosen = choice
                    state = table, {*chosen.indices}, chosen.rival
                    if state != (source.table, used, source.rival):
                        self.use_columns(other, source, table, chosen)

    def use_columns(
        self,
        slot: str,
        source: TextSource,
        table: DataTable,
        choice: Chosen,
    ) -> None:
        """Read columns of a table in the place of those of the file that a source is of."""

        def replace_sources(sources: list[TextSource]) -> None:
            open_sources = self.open_sources[slot]
            places = [n for n, old in enumerate(open_sources) if old.table is source.table]
            remaining = [old for old in open_sources if old.table is not source.table]
            place = places[0] if places else len(remaining)
            self.open_sources[slot] = [*remaining[:place], *sources, *remaining[place:]]
            self.show_open_files(slot)
            if choice.is_named:
                self.choose_again(slot)
                document.querySelector(f'[data-source-column="{slot}:{place}"]').focus()

        def start() -> None:
            work = chosen_sources(table, choice, role_of(slot), source.origin)
            self.jobs.start_job(slot, work, replace_sources)

        if slot in self.jobs.jobs:
            self.jobs.queue(slot, start)
        else:
            start()

    def choose_column(self, item: str, column: str) -> None:
        """Use another column of the file of an open source, given as "slot:index"."""
        slot, source = self.open_source(item)
        if source.table and column:
            self.use_columns(slot, source, source.table, Chosen([int(column)], is_named=True))

    def set_header_row(self, item: str, *, has_names: bool) -> None:
        """Use the first row of the file of an open source as names of columns, or as data."""
        slot, source = self.open_source(item)
        if source.table and source.column is not None:
            table = source.table.with_header(is_header=has_names)
            self.use_columns(slot, source, table, Chosen([source.column], is_named=True))


def role_of(slot: str) -> str:
    """Return the role of the texts of a slot."""
    return REFERENCES if slot == REFERENCES else SYSTEM


def connect_drops(files: OpenFiles, open_model: Callable[[Any], object]) -> None:
    """Open files whenever they are dropped on a file slot, a text box, or elsewhere on the page.

    `open_model` is called with the file of a SentencePiece model.
    """

    def on_drag_over(event: Any) -> None:
        if has_files(event):
            event.preventDefault()
            mark_drop_target(drop_target(event))

    def on_drag_leave(event: Any) -> None:
        if not event.relatedTarget:
            mark_drop_target(None)

    def on_drop(event: Any) -> None:
        mark_drop_target(None)
        if not has_files(event):
            return
        event.preventDefault()
        # The browser empties this list when the event has been handled.
        dropped_files, target = list(event.dataTransfer.files), drop_target(event)
        on_model_box = target and target.id == "model"
        models = [file for file in dropped_files if on_model_box or is_model_file(file.name)]
        dropped_files = [file for file in dropped_files if file not in models]
        for file in models[-1:]:
            open_model(file)
        if not dropped_files:
            return
        if target:
            slot = target.getAttribute("data-slot") or target.querySelector("textarea").id
            clear_file_input(slot)
            files.read(slot, dropped_files)
        else:
            reveal("files")
            files.read("", sorted(dropped_files, key=lambda file: file.name))
            element("corpus-form").scrollIntoView()

    listen("dragenter", document, on_drag_over)
    listen("dragover", document, on_drag_over)
    listen("dragleave", document, on_drag_leave)
    listen("drop", document, on_drop)


def connect_pastes(files: OpenFiles) -> None:
    """Open tables whenever they are pasted into an empty text box for segments."""

    def on_paste(event: Any) -> None:
        box = event.target
        text = event.clipboardData.getData("text/plain") if event.clipboardData else ""
        if not box.textLength and files.paste(box.id.removeprefix("corpus-"), text):
            event.preventDefault()

    listen("paste", ", ".join(f"#corpus-{slot}" for slot in BOX_LABELS), on_paste)


def has_files(event: Any) -> bool:
    """Return whether files are being dragged, not text."""
    return bool(event.dataTransfer and event.dataTransfer.types.includes("Files"))


def drop_target(event: Any) -> Any:
    """Return the file slot or text box under the pointer, or None."""
    node = event.target if event.target.nodeType == 1 else event.target.parentElement
    return node.closest("#model, [data-slot], #inputs :is(.field, .reference)") if node else None


def mark_drop_target(target: Any) -> None:
    """Mark a file slot or text box as the target of a drop; None removes the mark."""
    for marked in document.querySelectorAll("[data-over]"):
        marked.removeAttribute("data-over")
    if target:
        target.setAttribute("data-over", "")


class TablePanel:
    """The open table; its chosen columns are opened in the slots for files."""

    def __init__(self, jobs: JobList, files: OpenFiles) -> None:
        self.jobs, self.files = jobs, files
        self.slot_and_lines: tuple[str, TextSource] | None = None
        """The slot for which a text file with the table was opened, and the lines of the file."""
        self.table: DataTable | None = None
        """The open table, or None."""
        self.opened_columns: dict[str, list[int]] | None = None
        """The indices of the open columns by slot, or None if none were opened yet."""

    def read(self, file: Any) -> None:
        """Read a table from its file."""
        self.jobs.start_job(TABLE, read_table(file), self.show)

    def show(self, table: DataTable, slot_and_lines: tuple[str, TextSource] | None = None) -> None:
        """Show the columns of a table with their likely roles."""
        self.slot_and_lines, self.opened_columns = slot_and_lines, None
        element("table-file").open = True
        self.draw(table, column_roles(table))

    def draw(self, table: DataTable, roles: Sequence[str | None]) -> None:
        """Show the columns of the open table with these roles."""
        self.table, has_text = table, bool(self.slot_and_lines)
        element("columns").innerHTML = column_choices(table, roles, has_text=has_text)

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
        if not self.table:
            return
        self.jobs.stop_job(TABLE)  # A running job reads columns under the previous choice.
        roles = [str(menu.value) for menu in document.querySelectorAll("#columns [data-column]")]
        self.opened_columns = None
        self.draw(self.table.with_header(is_header=has_names), roles)
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
        self.table = self.opened_columns = self.slot_and_lines = None
        element("columns").innerHTML = ""
        clear_file_input(TABLE)
        element("corpus-table-file").focus()
