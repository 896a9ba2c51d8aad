"""The box for the file of a SentencePiece model, and the models kept on this device."""

from collections.abc import Callable, Generator
from operator import truediv
from typing import Any
from urllib.parse import quote, unquote

from pyodide.ffi import JsException, to_js
from pyscript import window

from app.browser.dom import MODEL_MENUS, element, listen, open_details, reveal, show_model
from app.browser.scheduling import Job
from app.state.form import error_location
from app.state.memory import OUT_OF_MEMORY_TEXT, is_out_of_memory
from app.state.models import OPEN_MODELS, is_model, menu_value, model_label
from bleu.core.custom_tokenizers import MAX_MODEL_BYTES, Tokenizer, iter_tokenizer, model_name
from bleu.core.progress import map_progress

CACHE = "bleu-models"
"""The browser's cache with the kept models. The page's own store of files has another name."""
ADDRESS = "https://models.invalid/"
"""The beginning of the keys of that cache, which must be addresses. Nothing is requested there."""
Work = Generator[Any, Any, Any]


class ModelBox:
    """The box, which stands below the menu that asks for a model, and the job that reads one.

    `on_opened` is called when a model has been opened and chosen in a menu.
    """

    def __init__(self, on_opened: Callable[[], object]) -> None:
        self.on_opened = on_opened
        self.job: Job[Any] | None = None
        self.target: Any = None
        """The menu that the model being read is for."""
        self.wanted = ""
        """The value of that menu when the reading began."""
        self.kept: dict[str, str] = {}
        """The addresses of the kept models, by menu value."""
        listen("change", "#model-file", lambda event: self.open(event.target.files.item(0)))
        # Before the form hears the same event, and shows the box again.
        listen("input", "#model-keep", lambda _: self.keep())
        listen("change", ", ".join(f"#{menu}" for menu in MODEL_MENUS), lambda _: self.say(""))
        self.refresh_kept()

    @property
    def menu(self) -> Any:
        """The menu that a model is for: of the files, or of the form."""
        form_menu, file_menu = map(element, MODEL_MENUS)
        return form_menu if element("files").hidden or file_menu.disabled else file_menu

    def show(self) -> None:
        """Show the box below the menu in sight if a model is chosen there; open a kept one."""
        value, box = str(self.menu.value), element("model")
        setting = element(MODEL_MENUS[not element("files").hidden]).closest(".setting")
        if not setting.parentElement.isSameNode(box.parentElement):
            setting.after(box)
        model = OPEN_MODELS.get(value)
        error = element("model-error").textContent
        if not (model or self.job or error) and value in self.kept:
            self.start(read_kept(self.kept[value]))
        is_busy = self.job is not None
        box.hidden = not (is_model(value) or is_busy or error)
        element("model-progress").hidden = not is_busy
        element("model-keep").parentElement.hidden = model is None
        element("model-keep").checked = value in self.kept
        element("model-status").textContent = f"Open: {model_label(value)}" if model else ""
        element("model-hint").hidden = model is not None

    def say(self, error: str) -> None:
        """Show an error, or none."""
        element("model-error").textContent = error
        self.show()

    def open(self, file: Any) -> None:
        """Read a chosen or dropped file, and choose its model in the menu in sight."""
        if file:
            element("model-error").textContent = ""
            self.start(read_model(file, file.name, file.size))
            self.show()

    def drop(self, file: Any) -> None:
        """Open a dropped file, and bring the box into sight."""
        self.open(file)
        open_details(element("model"))
        reveal("model")

    def start(self, work: Work) -> None:
        """Start to read a model, instead of the one that is being read."""
        if self.job:
            self.job.close()
        element("model-progress").value = 0
        self.target, self.wanted = self.menu, str(self.menu.value)
        self.job = Job(work, self.on_read, self.on_failed, self.on_progress)

    def on_progress(self, share: float, _seconds: float) -> None:
        """Show the share of the file that has been read."""
        element("model-progress").value = share

    def on_failed(self, error: Exception) -> None:
        """Show why a file is not read, kept or deleted."""
        self.job = None
        element("model-file").value = ""
        self.refresh_kept()
        lacks_memory = is_out_of_memory(error)
        self.say(OUT_OF_MEMORY_TEXT if lacks_memory else error_location(error)[1])

    def on_listed(self, kept: dict[str, str]) -> None:
        """Offer the kept models in the menus."""
        self.kept = kept
        for value in kept:
            show_model(value)
        self.show()

    def on_read(self, model: Tokenizer) -> None:
        """Choose a model that has been read, unless the menu asks for another one."""
        self.job = None
        element("model-file").value = ""  # so that choosing the same file again is a change
        value, wanted = menu_value(model), self.wanted
        OPEN_MODELS[value] = model
        show_model(value)
        if wanted.startswith("sp-") and wanted not in OPEN_MODELS:
            self.say(
                f"{model.file} is {model}, not {model_name(wanted[3:])}. Choose the file of that "
                f"model, or choose {model} in the menu."
            )
        elif self.target.value == wanted:
            self.target.value = value
        self.on_opened()

    def keep(self) -> None:
        """Keep the chosen model on this device, or delete it there."""
        value = str(self.menu.value)
        if element("model-keep").checked:
            self.kept[value] = kept_address(OPEN_MODELS[value])
            work = store(OPEN_MODELS[value], self.kept[value])
        else:
            work = delete(self.kept.pop(value))
        Job(work, lambda _: None, self.on_failed, self.on_progress)

    def refresh_kept(self) -> None:
        """List the kept models, and offer them in the menus."""
        Job(list_kept(), self.on_listed, self.on_failed, self.on_progress)


def read_model(source: Any, name: str, size: float) -> Generator[Any, Any, Tokenizer]:
    """Return the model in a file or a response of the browser; yield promises and the progress.

    Raises ValueError if it cannot be read or is no model.
    """
    if size > MAX_MODEL_BYTES:
        raise ValueError(f"{name} has {size / 1e6:,.0f} MB; give the .model file of SentencePiece")
    try:
        buffer = yield source.arrayBuffer()
    except JsException as error:
        raise ValueError(f"{name} cannot be read: {error}") from None
    data = buffer.to_bytes()
    return (yield from map_progress(iter_tokenizer(data, name), truediv))


def list_kept() -> Work:
    """Return the addresses of the kept models by their menu values."""
    try:
        if not (hasattr(window, "caches") and (yield window.caches.has(CACHE))):
            return {}
        requests = yield (yield window.caches.open(CACHE)).keys()
    except JsException:
        return {}  # The browser blocks storage.
    addresses = [str(request.url) for request in requests]
    return {address.removeprefix(ADDRESS).partition("/")[0]: address for address in addresses}


def read_kept(address: str) -> Work:
    """Return a kept model."""
    name = unquote(address.rpartition("/")[2])
    response = yield (yield window.caches.open(CACHE)).match(address)
    if response is None:
        raise ValueError(f"{name} is no longer kept on this device; choose its file again")
    return (yield from read_model(response, name, 0))


def kept_address(model: Tokenizer) -> str:
    """Return the address of a kept model."""
    return f"{ADDRESS}{menu_value(model)}/{quote(model.file, safe='')}"


def store(model: Tokenizer, address: str) -> Work:
    """Keep a model on this device."""
    from bleu.core.sentencepiece import SentencePiece

    data = model.function.data if isinstance(model.function, SentencePiece) else b""
    try:
        cache = yield window.caches.open(CACHE)
        yield cache.put(address, window.Response.new(to_js(data)))
    except (AttributeError, JsException) as error:
        raise ValueError(f"this browser keeps no file for this page: {error}") from None


def delete(address: str) -> Work:
    """Delete a kept model."""
    yield (yield window.caches.open(CACHE)).delete(address)
