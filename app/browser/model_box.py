"""The box for the file of a SentencePiece model, and the models saved on this device."""

from collections.abc import Callable, Generator
from operator import truediv
from typing import Any
from urllib.parse import quote, unquote

from pyodide.ffi import JsException, to_js
from pyscript import window

from app.browser.dom import (
    TOKENIZER_MENUS,
    element,
    listen,
    open_details,
    reveal,
    show_model,
    show_prose,
)
from app.browser.scheduling import Job
from app.state.form import OUT_OF_MEMORY_TEXT, error_location, is_out_of_memory
from app.state.inputs import OPEN_MODELS, is_model, menu_value, model_label
from bleu.core.custom_tokenizers import Tokenizer, check_model_size, iter_tokenizer, model_name
from bleu.core.progress import map_progress
from bleu.document.writing import isolate

CACHE_NAME = "bleu-models"
"""The name of the browser's cache of saved models, which is not the service worker's cache."""
KEY_PREFIX = "https://models.invalid/"
"""The beginning of each key of the cache: an address, as caches require; it is never requested."""
Work = Generator[Any, Any, Any]
"""The work of a `Job`, which yields promises of the browser and the share done in [0, 1]."""


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
        self.saved: dict[str, str] = {}
        """The addresses of the saved models, by menu value."""
        listen("change", "#model-file", lambda event: self.open(event.target.files.item(0)))
        # Added before the form's listener, which would reset the tick when it redraws the box.
        listen("input", "#model-keep", lambda _: self.save_or_delete())
        menus = ", ".join(f"#{menu}" for menu in TOKENIZER_MENUS)
        listen("change", menus, lambda _: self.show_error(""))
        self.refresh_saved()

    @property
    def menu(self) -> Any:
        """The menu of the files if it is visible and enabled, else the menu of the form."""
        form_menu, file_menu = map(element, TOKENIZER_MENUS)
        return form_menu if element("files").hidden or file_menu.disabled else file_menu

    def show(self) -> None:
        """Show the box if the visible menu chooses a model, and read that model if it is saved."""
        value, box = str(self.menu.value), element("model")
        setting = element(TOKENIZER_MENUS[not element("files").hidden]).closest(".setting")
        if not setting.parentElement.isSameNode(box.parentElement):
            setting.after(box)
        model = OPEN_MODELS.get(value)
        error = self.error
        if not (model or self.job or error) and value in self.saved:
            self.start(read_saved(self.saved[value]))
        is_busy = self.job is not None
        box.hidden = not (is_model(value) or is_busy or error)
        element("model-progress").hidden = not is_busy
        element("model-keep").parentElement.hidden = model is None
        element("model-keep").checked = value in self.saved
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
        if file:
            self.show_error("")
            self.start(read_model(file, file.name, file.size))
            self.show()

    def drop(self, file: Any) -> None:
        """Open a dropped file, and bring the box into sight."""
        self.open(file)
        open_details(element("model"))
        reveal("model")

    def start(self, work: Work) -> None:
        """Start to read a model, and stop the running job."""
        if self.job:
            self.job.close()
        element("model-progress").value = 0
        self.target_menu, self.requested_value = self.menu, str(self.menu.value)
        self.job = Job(work, self.on_read, self.on_failed, self.on_progress)

    def on_progress(self, share: float, _seconds: float) -> None:
        """Show the share of the file that has been read."""
        element("model-progress").value = share

    def on_failed(self, error: Exception) -> None:
        """Show why a model could not be read, saved or deleted."""
        self.job = None
        element("model-file").value = ""
        self.refresh_saved()
        lacks_memory = is_out_of_memory(error)
        self.show_error(OUT_OF_MEMORY_TEXT if lacks_memory else error_location(error)[1])

    def on_listed(self, saved: dict[str, str]) -> None:
        """Offer the saved models in the menus."""
        self.saved = saved
        for value in saved:
            show_model(value)
        self.show()

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

    def save_or_delete(self) -> None:
        """Save the chosen model on this device if the box is ticked, else delete it there."""
        value = str(self.menu.value)
        if element("model-keep").checked:
            model = OPEN_MODELS[value]
            self.saved[value] = f"{KEY_PREFIX}{value}/{quote(model.file, safe='')}"
            work = save_model(model, self.saved[value])
        else:
            work = delete_model(self.saved.pop(value))
        Job(work, lambda _: None, self.on_failed, self.on_progress)

    def refresh_saved(self) -> None:
        """List the saved models, and offer them in the menus."""
        Job(list_saved(), self.on_listed, self.on_failed, self.on_progress)


def read_model(source: Any, name: str, size: int) -> Generator[Any, Any, Tokenizer]:
    """Return the model in a file or a stored response; yield promises and the share done.

    Raises ValueError if the file is too large, cannot be read, or has no model.
    """
    check_model_size(name, size)
    try:
        buffer = yield source.arrayBuffer()
    except JsException as error:
        raise ValueError(f"{name} cannot be read: {error}") from None
    data = buffer.to_bytes()
    return (yield from map_progress(iter_tokenizer(data, name), truediv))


def list_saved() -> Work:
    """Return the addresses of the saved models by their menu values."""
    try:
        if not (hasattr(window, "caches") and (yield window.caches.has(CACHE_NAME))):
            return {}
        requests = yield (yield window.caches.open(CACHE_NAME)).keys()
    except JsException:
        return {}  # The browser blocks storage.
    addresses = [str(request.url) for request in requests]
    return {address.removeprefix(KEY_PREFIX).partition("/")[0]: address for address in addresses}


def read_saved(address: str) -> Work:
    """Return the model saved under an address; raise ValueError if it is gone or unreadable."""
    name = unquote(address.rpartition("/")[2])
    response = yield (yield window.caches.open(CACHE_NAME)).match(address)
    if response is None:
        raise ValueError(f"{name} is no longer kept on this device; choose its file again")
    return (yield from read_model(response, name, 0))


def save_model(model: Tokenizer, address: str) -> Work:
    """Save a model on this device under an address; raise ValueError if the browser refuses."""
    from bleu.core.sentencepiece import SentencePiece

    data = model.function.data if isinstance(model.function, SentencePiece) else b""
    try:
        cache = yield window.caches.open(CACHE_NAME)
        yield cache.put(address, window.Response.new(to_js(data)))
    except (AttributeError, JsException) as error:
        message = f"this browser cannot store the model, which stays open in this tab: {error}"
        raise ValueError(message) from None


def delete_model(address: str) -> Work:
    """Delete the model saved under an address."""
    yield (yield window.caches.open(CACHE_NAME)).delete(address)
