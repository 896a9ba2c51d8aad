"""The example of the Files view: two systems, each with a clear win, and one reference."""

from typing import Final

from app.files.reading import TextSource

_SEGMENTS: Final = (
    (
        "The town hall will be closed on Monday because of the public holiday.",
        "The town hall will be closed on Monday because of the public holiday.",
        "The city hall is closed on Monday due to a bank holiday.",
    ),
    (
        "Anyone who wants to vote has to register by the end of March.",
        "Who wants to vote must register himself until end March.",
        "Anyone who wants to vote has to register by the end of March.",
    ),
    (
        "The old bridge is being repaired, so the buses take a longer route.",
        "The old bridge is repaired, so the buses take a longer way.",
        "The old bridge is being repaired, so buses are taking a longer route.",
    ),
    (
        "Parents have to sign the form before the school trip.",
        "Parents must sign the form before the class trip.",
        "Parents have to sign the form ahead of the school trip.",
    ),
    (
        "Outside the town hall, a small band was playing in the rain.",
        "Outside the town hall, a small band was playing in the rain.",
        "In front of the city hall, a small band played in the rain.",
    ),
    (
        "Don't worry, we were only pulling your leg.",
        "Have no fear, we have just taken you on the arm.",
        "Do not be afraid, we took you by the arm.",
    ),
    (
        "It snowed all night, and by morning the road was blocked.",
        "It snowed the whole night, and in the morning the road was blocked.",
        "It snowed all night, and by morning the road was closed.",
    ),
    (
        "Visitors have to leave their bags at the entrance.",
        "Visitors must leave their bags at the entrance.",
        "Visitors have to leave their bags at the door.",
    ),
    (
        "The museum has bought three paintings by local artists.",
        "The museum bought three paintings of local artists.",
        "The museum has bought three pictures by local artists.",
    ),
    (
        "If you smell gas, open the windows and leave the building at once.",
        "If you smell gas, open the windows and leave the building immediately.",
        "If you smell gas, open the windows and leave the house at once.",
    ),
    (
        "The meeting at the town hall went on until midnight.",
        "The meeting at the town hall lasted until midnight.",
        "The meeting in the city hall went on until midnight.",
    ),
    (
        "Nobody could say where the cat had spent the winter.",
        "Nobody could say where the cat spent the winter.",
        "Nobody could say where the cat had spent the winter.",
    ),
)

_COLUMNS: Final = tuple(map(list, zip(*_SEGMENTS, strict=True)))

EXAMPLE_SOURCES: Final = {
    "references": (TextSource("Reference", _COLUMNS[0]),),
    "system": (TextSource("System A", _COLUMNS[1]), TextSource("System B", _COLUMNS[2])),
}
"""The texts of the example by slot."""
