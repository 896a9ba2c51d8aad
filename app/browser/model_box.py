"""The box for the file of a SentencePiece model."""

from collections.abc import Callable, Generator
from operator import truediv
from typing import Any

from pyodide.ffi import JsException

from app.browser.dom import (
    TOKENIZER_MENUS,
    element,
    listen,
    open_details,
    reveal,
    set_hidden,
    show_model,
    show_prose,
)
from app.browser.scheduling import Job
from app.state.form import OUT_OF_MEMORY_TEXT, error_location, is_out_of_memory
from app.state.inputs import OPEN_MODELS, is_model, menu_value, model_label
from bleu.core.custom_tokenizers import Tokenizer, check_model_size, iter_tokenizer, model_name
from bleu.core.progress import map_progress
from bleu.document.writing import isolate


class ModelBox:
    """The box, placed below the visible tokenizer menu, and the job that reads a model.

    `on_opened` is called when a model has been opened and chosen in a menu.
    """

    def __init__(self, on_opened: Callable[[], object]) -> None:
        self.on_opened = on_opened
        self.job: Job[Any] | None = None
        self.error = ""
        """The error that is shown, or ""."""
        self.target_menu: Any = None
        """The menu in which the model is chosen once it has been read."""
        self.requested_value = ""
        """The value of `target_menu` when the job began."""
        listen("change", "#model-file", lambda event: self.open(event.target.files.item(0)))
        menus = ", ".join(f"#{menu}" for menu in TOKENIZER_MENUS)
        listen("change", menus, lambda _: self.show_error(""))

    @property
    def menu(self) -> Any:
        """The menu of the files if it is visible and enabled, else the menu of the form."""
        form_menu, file_menu = map(element, TOKENIZER_MENUS)
        return form_menu if element("files").hidden or file_menu.disabled else file_menu

    def show(self) -> None:
        """Show the box if the visible menu chooses a model."""
        value, box = str(self.menu.value), element("model")
        setting = element(TOKENIZER_MENUS[not element("files").hidden]).closest(".setting")
        if not setting.parentElement.isSameNode(box.parentElement):
            setting.after(box)
        model = OPEN_MODELS.get(value)
        is_busy = self.job is not None
        set_hidden(box, not (is_model(value) or is_busy or self.error), self.menu)
        element("model-progress").hidden = not is_busy
        status = f"Open: {isolate(model_label(value))}" if model else ""
        show_prose(element("model-status"), status)
        element("model-hint").hidden = model is not None

    def show_error(self, error: str) -> None:
        """Show an error, or remove it for ""."""
        self.error = error
        show_prose(element("model-error"), error)
        self.show()

    def open(self, file: Any) -> None:
        """Read a file, unless it is None, and choose its model in the visible menu."""
        if not file:
            return
        if self.job:
            self.job.close()
        element("model-progress").value = 0
        self.target_menu, self.requested_value = self.menu, str(self.menu.value)
        self.job = Job(read_model(file), self.on_read, self.on_failed, self.on_progress)
        self.show_error("")

    def drop(self, file: Any) -> None:
        """Open a dropped file, and bring the box into sight."""
        self.open(file)
        open_details(element("model"))
        reveal("model")

    def on_progress(self, share: float, _seconds: float) -> None:
        """Show the share of the file that has been read."""
        element("model-progress").value = share

    def on_failed(self, error: Exception) -> None:
        """Show why a model could not be read."""
        self.job = None
        element("model-file").value = ""
        lacks_memory = is_out_of_memory(error)
        self.show_error(OUT_OF_MEMORY_TEXT if lacks_memory else error_location(error)[1])

    def on_read(self, model: Tokenizer) -> None:
        """Add an open model; choose it in `target_menu` unless the user asked for another there."""
        self.job = None
        element("model-file").value = ""  # so that choosing the same file again is a change
        value, requested = menu_value(model), self.requested_value
        OPEN_MODELS[value] = model
        show_model(value)
        if requested.startswith("sp-") and requested not in OPEN_MODELS:
            name = model_name(requested[3:])
            self.show_error(
                f"{model.file} is {model}, not {name}. Choose the file of {name}, or choose "
                f"{model} in the menu."
            )
        elif self.target_menu.value == requested:
            self.target_menu.value = value
        self.on_opened()


def read_model(file: Any) -> Generator[Any, Any, Tokenizer]:
    """Return the model in a file; yield promises of the browser and the share done in [0, 1].

    Raises ValueError if the file is too large, cannot be read, or has no model.
    """
    check_model_size(file.name, file.size)
    try:
        buffer = yield file.arrayBuffer()
    except JsException as error:
        raise ValueError(f"{file.name} cannot be read: {error}") from None
    return (yield from map_progress(iter_tokenizer(buffer.to_bytes(), file.name), truediv))
