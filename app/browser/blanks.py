"""The blanks of an exercise on the page: what stands in them, and the mark beside each."""

from collections.abc import Mapping

from pyscript import document


def read_blanks() -> dict[str, str]:
    """What stands in the blanks, by their names; of boxes and buttons, the values chosen."""
    answers: dict[str, str] = {}
    for box in document.querySelectorAll("#exercise [name]"):
        if box.type in {"radio", "checkbox"}:
            if box.checked:
                answers[box.name] = f"{answers.get(box.name, '')} {box.value}".strip()
        else:
            answers[box.name] = box.value
    return answers


def fill_blanks(answers: Mapping[str, str]) -> None:
    """Put answers into the blanks, by their names."""
    for box in document.querySelectorAll("#exercise [name]"):
        text = answers.get(box.name)
        if text is None:
            continue
        if box.type == "radio":
            box.checked = box.value == text
        elif box.type == "checkbox":
            box.checked = box.value in text.split()
        else:
            box.value = text
            box.style.minWidth = f"{len(text) + 3}ch"


def show_marks(marks: Mapping[str, tuple[str, str, str]]) -> None:
    """Beside each blank, by its name, its status, with a sign and a word for it."""
    for old in list(document.querySelectorAll("#exercise .verdict")):
        old.remove()
    for box in document.querySelectorAll("#exercise [name]"):
        status, sign, word = marks.get(box.name, ("", "", ""))
        box.removeAttribute("aria-invalid")
        if not status or box.type in {"radio", "checkbox"}:
            continue
        if status in {"wrong", "unreadable"}:
            box.setAttribute("aria-invalid", "true")
        mark = document.createElement("span")
        mark.className = f"verdict {status}"
        mark.innerHTML = f'<span aria-hidden="true">{sign}</span>'
        mark.insertAdjacentHTML("beforeend", f'<span class="spoken">{word}</span>')
        box.after(mark)
