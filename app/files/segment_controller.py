"""The table of segments, and the opened segment."""

import json
from dataclasses import replace
from typing import Any

from pyodide.ffi import to_js
from pyscript import document, window

from app.browser.dom import element, find_element, listen, reveal, set_hidden, show_texts
from app.browser.page import SPEECH_MS, PageCalls, announce, command
from app.browser.scheduling import DebouncedCall
from app.files.job_list_controller import NGRAM, JobList
from app.files.listing import (
    SegmentListing,
    page_text,
    segment_table,
    sort_segments,
    turn_page,
    with_sort,
)
from app.files.scoring import CorpusResult
from app.files.segment_html import (
    iter_differing_segments,
    parse_segment_key,
    segment_derivations,
    segment_steps,
    segment_titles,
    segment_view,
)
from app.state.inputs import Inputs
from bleu.core.api import Derivation
from bleu.explanation.matches import ngram_sentence
from bleu.render import html, text


class SegmentPanel:
    """The segments of a result: their listing, and the one that is open.

    `show_in_form` puts a segment with its settings into the Score view.
    """

    outcome: CorpusResult
    """The result, which is set before any segment is listed."""
    form_inputs: Inputs
    """The settings of the result, as the form of the Score view has them."""

    def __init__(self, page: PageCalls, jobs: JobList) -> None:
        self.page, self.jobs = page, jobs
        self.listing = SegmentListing()
        self.listed_indices: list[int] = []
        """The indices of the listed segments, in order."""
        self.segment_index = 0
        self.derivations: list[Derivation] = []
        """The derivation of the open segment for each system."""
        self.row_id = ""
        """The id of the row from which the segment was opened, as for `open_segment`."""
        self.speech_timer = DebouncedCall(self.announce_page)
        listen("input", "#segments-filter", lambda event: self.set_filter(event.target.value))
        listen("popstate", window, lambda event: self.on_history(event.state))

    def is_open(self) -> bool:
        """Return whether a segment is open."""
        return not element("segment-view").hidden

    # The table

    def relist(self) -> None:
        """Sort and filter the segments, and show the current page of the table."""
        self.listed_indices = sort_segments(self.outcome, self.listing)
        self.show_page()

    def announce_page(self) -> None:
        """Announce to screen readers which segments are listed."""
        announce(page_text(self.listing, self.listed_indices))

    def show_page(self) -> None:
        """Show the current page of the table."""
        markup = segment_table(self.outcome, self.listing, self.listed_indices)
        show_texts(element("segments-body"), markup)

    def set_filter(self, query: str) -> None:
        """List the segments that contain a text."""
        self.listing = replace(self.listing, query=query, page=0)
        self.relist()
        self.speech_timer.schedule(SPEECH_MS)

    @command("sort")
    def sort(self, key: str) -> None:
        """Sort the segments by a column, or reverse them if they are sorted by it."""
        self.listing = with_sort(self.listing, key)
        self.relist()
        document.querySelector(f'[data-command="sort:{key}"]').focus()

    @command("page")
    def turn_page(self, direction: str) -> None:
        """Show another page of the table."""
        self.listing = turn_page(self.listing, direction, self.listed_indices)
        self.show_page()
        button = document.querySelector(f'[data-command="page:{direction}"]')
        (element("segments-filter") if button.disabled else button).focus()
        self.announce_page()

    # The segment

    @command("ngram")
    def filter_by_ngram(self, tokens: str) -> None:
        """List the segments that differ in credit for an n-gram (JSON); for [], list all."""
        ngram, index = tuple(json.loads(tokens)), self.listing.system_index

        def show(indices: tuple[int, ...]) -> None:
            self.listing = replace(self.listing, ngram=ngram, ngram_indices=indices, page=0)
            self.relist()
            element("segments-title").scrollIntoView()
            element("segments-title").focus()
            self.announce_page()

        if ngram:
            self.jobs.start_job(NGRAM, iter_differing_segments(self.outcome, index, ngram), show)
        else:
            show(())

    @command("segment")
    def open_from_row(self, row_id: str) -> None:
        """Open the segment of a row; Back in the browser returns to the row."""
        self.set_history("pushState", row_id)
        self.open_segment(row_id)

    def set_history(self, method: str, row_id: str) -> None:
        """Record a segment in the browser's history; `method` is pushState or replaceState."""
        state = to_js(
            {"visited": True, "segment": row_id}, dict_converter=window.Object.fromEntries
        )
        getattr(window.history, method)(state, "")

    def on_history(self, state: Any) -> None:
        """Open or close the segment to match an entry of the browser's history."""
        row_id = getattr(state, "segment", "")
        if row_id and not element("corpus-outcome").hidden:
            if not self.is_open() or row_id != self.row_id:
                self.open_segment(row_id)
        elif self.is_open() and getattr(state, "visited", False) and not hasattr(state, "learn"):
            # An entry of another view, or of a link just followed, must close nothing.
            self.close_segment()
            self.show_row()

    def open_segment(self, row_id: str) -> None:
        """Open a segment; `row_id` is its index, or "index:list" in the lists of differences."""
        self.row_id, self.segment_index = row_id, int(row_id.partition(":")[0])
        self.derivations = segment_derivations(self.outcome, self.segment_index)
        element("segment-view").hidden = False
        self.draw_segment()
        element("segment-view").scrollIntoView()
        element("segment-title").focus()

    def draw_segment(self) -> None:
        """Show the open segment with the matches of the chosen order."""
        menu = find_element("segment-order")
        max_order = len(self.derivations[0].orders)
        markup = segment_view(
            self.outcome,
            self.derivations,
            self.segment_index,
            self.listed_indices,
            min(int(menu.value) if menu else len(self.listing.ngram) or 1, max_order),
            self.listing.system_index,
        )
        show_texts(element("segment-view"), markup)

    def redraw_segment(self) -> None:
        """Show the open segment again; expanded steps stay expanded."""
        expanded = [
            system_index
            for system_index in range(len(self.derivations))
            if not element(f"segment-steps-{system_index}").hidden
        ]
        self.draw_segment()
        for system_index in expanded:
            self.toggle_steps(system_index)

    @command("segment-step")
    def step_segment(self, step: str) -> None:
        """Open the next (1) or previous (-1) segment of the table."""
        if self.segment_index in self.listed_indices:
            position = self.listed_indices.index(self.segment_index)
            row_id = str(self.listed_indices[position + int(step)])
            self.set_history("replaceState", row_id)
            self.open_segment(row_id)
            button = document.querySelector(f'[data-command="segment-step:{step}"]')
            if not button.disabled:
                button.focus()
            announce(". ".join(segment_titles(self.outcome, self.derivations, self.segment_index)))

    @command("segment-steps")
    def toggle_steps(self, system_index: str | int) -> None:
        """Show or hide every step of a system's score of the segment."""
        body = element(f"segment-steps-{system_index}")
        body.hidden = not body.hidden
        if not body.hasChildNodes():
            index = int(system_index)
            show_texts(body, segment_steps(self.derivations[index], index))
        button = document.querySelector(f'[data-command="segment-steps:{system_index}"]')
        button.setAttribute("aria-expanded", "false" if body.hidden else "true")

    def close_segment(self) -> None:
        """Close the open segment."""
        self.derivations = []
        set_hidden(element("segment-view"), True, element("segments-title"))
        element("segment-view").innerHTML = ""

    @command("segment-close")
    def leave_segment(self, _: str = "") -> None:
        """Close the segment and return to its row."""
        if getattr(window.history.state, "segment", ""):
            window.history.back()
        else:
            self.close_segment()
            self.show_row()

    def show_row(self) -> None:
        """Scroll to the row from which the segment was opened, and focus it."""
        row = document.querySelector(f'[data-command="segment:{self.row_id}"]')
        if row:
            row.closest("li, tr").scrollIntoView()
            row.focus()
        else:
            reveal("segments-title")

    @command("segment-boxes")
    def open_in_form(self, system_index: str) -> None:
        """Put the segment of a system into the Score view, with the settings of the result."""
        hypothesis, references = self.outcome.texts.segment(self.segment_index, int(system_index))
        inputs = replace(self.form_inputs, hypothesis=hypothesis, references=tuple(references))
        self.page.open_segment(inputs)
        element("back").hidden = False

    @command("back")
    def go_back(self, _: str) -> None:
        """Return from the Score view to the segment."""
        if find_element("segment-title"):
            reveal("segment-view")
            element("segment-title").focus()
        else:
            reveal("segments-title")
            self.leave_segment()

    def show_ngram_sentence(self, key: str) -> bool:
        """Describe an n-gram of the open segment; return whether the key belongs to a segment."""
        parsed = parse_segment_key(key)
        line = find_element("segment-reading")
        if line:
            line.textContent = ""
            if parsed and parsed[0] < len(self.derivations):
                sentence = ngram_sentence(self.derivations[parsed[0]], parsed[1])
                show_texts(line, html.spans(sentence.spans))
                announce(text.spans(sentence.spans))
        return bool(parsed)
