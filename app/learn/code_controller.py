"""The controller of “Your code”: code in a box, or files, assessed in time slices."""

from collections.abc import Callable, Generator, Sequence
from typing import Any

from pyscript import document

from app.browser.dom import download_text, element, load_stored, show_prose, store_text
from app.browser.page import command
from app.browser.scheduling import Job
from app.learn import own_code
from app.learn.exercise_controller import ExerciseController
from bleu.learn.submission import MAX_BYTES, MAX_FILES, SUFFIXES, unpacked

STORED_CODE = "bleu-code"
"""The key under which the tab keeps the code for a reload."""


class CodeController(ExerciseController):
    """The code in the box, and the verdicts on the files that were assessed last."""

    current_item = "code"

    def __init__(self, on_item_shown: Callable[[str], object]) -> None:
        super().__init__(on_item_shown)
        self.text = load_stored(STORED_CODE)
        self.results: list[dict[str, Any]] = []
        self.leaves_box = False
        self.job: Job[list[dict[str, Any]]] | None = None

    def show(self, *, focus: bool = True) -> None:
        """Show the box with its code."""
        element("learn-aside").textContent = ""
        self.render(element("code-template").innerHTML, focus=focus)
        if self.text:  # Otherwise, the box has an example, of which one line is wrong.
            element("code-text").value = self.text

    def on_input(self) -> None:
        """Save the code, for another mode to be shown."""
        self.text = str(element("code-text").value)
        store_text(STORED_CODE, self.text)

    def on_key(self, event: Any) -> None:
        """Indent at Tab, unless Escape was pressed before it to leave the box."""
        leaves, self.leaves_box = self.leaves_box, event.key == "Escape"
        is_plain = not (event.shiftKey or event.ctrlKey or event.altKey or event.metaKey)
        if event.target.id == "code-text" and event.key == "Tab" and is_plain and not leaves:
            event.preventDefault()
            document.execCommand("insertText", False, "    ")

    def suspend(self) -> None:
        """Stop the assessment."""
        if self.job:
            self.job.close()
        self.job = None

    def submit(self) -> None:
        """Assess the code in the box."""
        self.on_input()
        self.start(self.iter_results([("your code", self.text.encode())]))

    def open_files(self, files: Sequence[Any]) -> None:
        """Assess files and archives; the code of a single one is shown in the box."""
        chosen = [file for file in files if str(file.name).endswith((*SUFFIXES, ".zip"))]
        chosen.sort(key=lambda file: str(file.name))
        if chosen:
            self.start(self.iter_files(chosen[:MAX_FILES]))
        else:
            element("learn-said").textContent = "There is no .py, .ipynb or .zip among these files."

    def iter_files(self, files: Sequence[Any]) -> Generator[Any, Any, list[dict[str, Any]]]:
        """Read files and assess them; return their verdicts."""
        sources: list[tuple[str, bytes]] = []
        for file in files:
            name, is_archive = str(file.name), str(file.name).endswith(".zip")
            if file.size > (50 if is_archive else 1) * MAX_BYTES:
                raise ValueError(f"{name} is too large; open smaller files")
            buffer = yield file.arrayBuffer()
            data = bytes(buffer.to_bytes())
            sources += sorted(unpacked(data).items()) if is_archive else [(name, data)]
        if len(sources) == 1 and sources[0][0].endswith(".py"):
            element("code-text").value = sources[0][1].decode("utf-8", "replace")
            self.on_input()
        return (yield from self.iter_results(sources))

    def iter_results(
        self, sources: Sequence[tuple[str, bytes]]
    ) -> Generator[Any, Any, list[dict[str, Any]]]:
        """Assess sources, given by name; yield how many are done."""
        results: list[dict[str, Any]] = []
        for name, data in sources:
            done = len(results), len(sources)
            results.append((yield from own_code.iter_verdict(name, data, done)))
        return results

    def start(self, work: Generator[Any, Any, list[dict[str, Any]]]) -> None:
        """Run the assessment, instead of an earlier one."""

        def on_result(results: list[dict[str, Any]]) -> None:
            self.results = results
            element("learn-said").innerHTML = own_code.results_html(results)
            element("learn-said").focus(preventScroll=True)
            element("learn-said").scrollIntoView(block="nearest")

        def on_error(error: Exception) -> None:
            show_prose(element("learn-said"), str(error))

        def on_progress(progress: tuple[int, int], seconds: float) -> None:
            if seconds > 0.5:
                done, total = progress
                element("learn-said").textContent = f"Running: {done} of {total} …"

        self.suspend()
        self.job = Job(work, on_result, on_error, on_progress)

    @command("code-save")
    def save_csv(self, _: str) -> None:
        """Download the verdicts."""
        download_text(own_code.verdicts_csv(self.results), "bleu-code.csv", "text/csv")

    def item_title(self, _: str) -> str:
        """Return the title."""
        return "Your code"
