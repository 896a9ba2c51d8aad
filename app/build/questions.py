"""A page for each question of the reference, at an address of its own that search engines find.

Questions, answers, examples and sources are those of index.html. The pages load nothing.
"""

import re
from html import escape, unescape
from typing import Final

from app.build.docs import plain_page, seal

FOLDER: Final = "questions"
INDEX: Final = "index"
MAX_DESCRIPTION: Final = 155
"""The number of characters of a description that search engines show."""

_SECTION: Final = re.compile(
    r'<section id="([\w-]+)" aria-labelledby="[\w-]+-title">\n<h3[^>]*><a[^>]*>(.*?)</a></h3>\n'
    r"(.*?)</section>",
    re.DOTALL,
)
_LESSON: Final = re.compile(r'<p class="try"><a href="#\w+" data-command.*?</p>\n', re.DOTALL)
"""Matches a link into the lesson, which another page cannot follow."""
_BACK: Final = (
    '<p><a href="../">BLEU calculator</a>: every step of a score, with your own texts, which stay '
    "on your device.</p>"
)


def question_pages(page: str, site_url: str) -> dict[str, str]:
    """Return the HTML of the pages by file name, from the HTML of index.html.

    With the address of the site, each page names its own address, and sitemap.xml lists them.
    """
    questions, _, sources = page.partition('id="questions"')[2].partition('id="sources"')
    found = _SECTION.findall(questions)
    titles = {name: title for name, title, _ in found}
    citations = {name: item for item, name in re.findall(r'(<li id="([\w-]+)">.*?</li>)', sources)}

    def address(match: re.Match[str]) -> str:
        """Return where a link of index.html leads from a page in the folder."""
        target = match[1]
        place = f"{target}.html" if target in titles else f"../#{target}"
        return f'href="{f"#{target}" if target in citations else place}"'

    def site_address(name: str) -> str:
        return f"{site_url.rstrip('/')}/{FOLDER}/{name}.html"

    def link_list(*excluded: str) -> str:
        names = (name for name in titles if name not in excluded)
        links = "\n".join(f'<li><a href="#{name}">{titles[name]}</a></li>' for name in names)
        return f"<ul>\n{links}\n</ul>\n"

    pages = {}
    found.insert(0, (INDEX, "Questions about BLEU", link_list()))
    for name, title, answer in found:
        answer = _LESSON.sub("", answer)
        cited = dict.fromkeys(re.findall(r'href="#([\w-]+)"', answer))
        items = "\n".join(citations[key] for key in cited if key in citations)
        body = f"<h1>{title}</h1>\n{answer}"
        if items:
            body += f"<h2>Sources</h2>\n<ul>\n{items}\n</ul>\n"
        if name != INDEX:
            body += f"<h2>More questions</h2>\n{link_list(name)}"
        head = f'<meta name="description" content="{escape(_description(answer))}">\n'
        if site_url:
            head += f'<link rel="canonical" href="{escape(site_address(name))}">\n'
        body = re.sub(r'href="#([^"]+)"', address, body + _BACK)
        pages[f"{name}.html"] = seal(plain_page(f"{_plain(title)} – BLEU", body, head))
    if site_url:
        addresses = [site_url.rstrip("/") + "/", *map(site_address, titles)]
        entries = "".join(f"<url><loc>{escape(address)}</loc></url>\n" for address in addresses)
        pages["sitemap.xml"] = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
        )
    return pages


def _plain(markup: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", markup))).strip()


def _description(answer: str) -> str:
    """Return the start of an answer, up to a word's end."""
    text = _plain(re.split("<div|<dl", answer)[0])
    if len(text) <= MAX_DESCRIPTION:
        return text
    return text[:MAX_DESCRIPTION].rpartition(" ")[0].rstrip(",;:.") + " …"
