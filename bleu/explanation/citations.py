"""Citations of the literature that the steps follow."""

from typing import Final

from bleu.document.blocks import Citation

POST: Final = Citation("Post 2018", "https://aclanthology.org/W18-6319/")
CHEN_AND_CHERRY: Final = Citation("Chen and Cherry 2014", "https://aclanthology.org/W14-3346/")


def papineni(section: str) -> Citation:
    """Return the citation of a section of the paper that introduced BLEU.

    >>> papineni("2.1").label
    'Papineni et al. 2002, section 2.1'
    """
    label = f"Papineni et al. 2002, section {section}"
    return Citation(label, "https://aclanthology.org/P02-1040/")
