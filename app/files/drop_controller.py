"""Files dropped on the page, and tables pasted into a text box."""

from collections.abc import Callable
from typing import Any

from pyscript import document

from app.browser.dom import element, listen, reveal
from app.files.job_list_controller import BOX_LABELS, clear_file_input
from app.files.open_files_controller import OpenFiles
from app.state.models import is_model_file


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
