"""The blanks of an exercise: reading, filling and marking them."""

from collections.abc import Mapping

from pyscript import document


def read_blanks() -> dict[str, str]:
    """Return the answers by field name; several checked values are separated by spaces."""
    answers: dict[str, str] = {}
    for box in document.querySelectorAll("#exercise [name]"):
        if box.type in {"radio", "checkbox"}:
            if box.checked:
                answers[box.name] = f"{answers.get(box.name, '')} {box.value}".strip()
        else:
            answers[box.name] = box.value
    return answers


def fill_blanks(answers: Mapping[str, str]) -> None:
    """Write answers, given by field name, into the blanks."""
    for box in document.querySelectorAll("#exercise [name]"):
        answer = answers.get(box.name)
        if answer is None:
            continue
        if box.type == "radio":
            box.checked = box.value == answer
        elif box.type == "checkbox":
            box.checked = box.value in answer.split()
        else:
            box.value = answer
            box.style.minWidth = f"{len(answer) + 3}ch" if len(answer) > 6 else ""


def show_marks(marks: Mapping[str, tuple[str, str, str]]) -> None:
    """Show a mark beside each text blank; `marks` maps names to (status, symbol, spoken word)."""
    for old_mark in list(document.querySelectorAll("#exercise .verdict")):
        old_mark.remove()
    for box in document.querySelectorAll("#exercise [name]"):
        status, symbol, word = marks.get(box.name, ("", "", ""))
        box.removeAttribute("aria-invalid")
        if not status or box.type in {"radio", "checkbox"}:
            continue
        if status in {"wrong", "unreadable"}:
            box.setAttribute("aria-invalid", "true")
        mark = document.createElement("span")
        mark.className = f"verdict {status}"
        mark.innerHTML = (
            f'<span aria-hidden="true">{symbol}</span><span class="spoken">{word}</span>'
        )
        box.after(mark)
