"""Documents as self-contained HTML pages that load no resources and run no scripts."""

import re
from html import escape
from typing import Final

from bleu.document.blocks import Document, Worksheet
from bleu.render import html
from bleu.render.numbers import both_scales

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The content security policy of the page, which forbids loading anything."""

PAGE_STYLE: Final = """
:root { color-scheme: light dark; }
body { max-width: 56rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 Georgia, serif; }
.step > h2 { font-size: 1.17em; }
"""
"""The style of the page itself."""
CONTENT_STYLE: Final = """table, ol, dl, output, code { font-family: system-ui, sans-serif; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding-block: .5rem; text-align: start; font-weight: bold; }
th, td { padding: .25rem .75rem; border-block-end: 1px solid #8886; text-align: end; }
th:first-child { padding-inline-start: 0; text-align: start; font-weight: normal; }
tfoot :is(th, td) { font-weight: bold; }
.table, .equation { overflow-x: auto; margin-block: 1rem; }
math {
  font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", "Libertinus Math",
    "DejaVu Math TeX Gyre", math;
}
.equation math { display: inline math; math-style: normal; }
.headline b { font-size: 2rem; }
.scale { margin-inline-end: 2rem; }
.facts { display: flex; flex-wrap: wrap; gap: 1rem 2rem; }
.facts dd { margin: 0; }
::before, ::after { unicode-bidi: isolate; }
.token-list { margin-inline: -.2rem; padding: 0; list-style: none; }
.token-list li { display: inline; }
.token-list > [dir] { unicode-bidi: normal; }
.token-list > [dir="ltr"]::before, .token-list > [dir="ltr"]::after {
  content: "\\200E"; unicode-bidi: normal;
}
.token-list > [dir="rtl"]::before, .token-list > [dir="rtl"]::after {
  content: "\\200F"; unicode-bidi: normal;
}
.token-list li > * {
  display: inline-block; max-width: 100%; margin: .2rem; padding: 0 .4rem; border: 1px solid #8886;
}
.token-list .credited > * { border: 2px solid; }
.token-list .clipped > * { text-decoration: line-through; }
.token-list .unmatched > * { border-style: dotted; }
.token-list span::after { font-size: .75rem; }
.token-list .credited > ::after { content: " credited"; }
.token-list .clipped > ::after { content: " clipped"; }
.token-list .unmatched > ::after { content: " no match"; }
.figures { display: flex; flex-wrap: wrap; gap: 1.5rem; }
figure { flex: 1 1 16rem; margin: 0; }
figcaption { font-weight: bold; }
.drawing { width: 100%; background: #fff; }
.gram { padding: 0; border: 0; background: none; color: inherit; font: inherit; }
.mark, small { font-size: .75rem; }
.note { padding: .5rem 1rem; border-inline-start: 3px solid; }
.blank { width: 5rem; border: 0; border-block-end: 1px solid; background: none; font: inherit; }
.options { display: inline-flex; flex-wrap: wrap; gap: .25rem 1.5rem; }
@media print { .step { break-inside: avoid; } }
code { direction: ltr; unicode-bidi: isolate; }
li, tbody th, code, q { overflow-wrap: anywhere; }
"""
"""The style of a document's content, which notebooks use too."""


def render(document: Document) -> str:
    """Render the whole document as an HTML page.

    >>> from bleu import derive, explain
    >>> page = render(explain(derive("a b", ["a b"], max_order=1)))
    >>> page.splitlines()[0], "<title>BLEU-1 = 100.00</title>" in page
    ('<!DOCTYPE html>', True)
    """
    score_100, _ = both_scales(document.summary.value)
    return _page(
        f"{document.summary.name} = {score_100}",
        f"""<h1>BLEU, step by step</h1>
{html.summary(document.summary)}
{html.figures(document)}
{html.contents(document)}
{"".join(map(html.step, document.steps))}""",
    )


def worksheet(content: Worksheet) -> str:
    """Render exercises or solutions as an HTML page, to fill in or to print."""
    steps = "".join(map(html.step, content.steps))
    # There is no summary with an h2 above the steps, so their headings move up one level.
    steps = re.sub("(</?h)([34])", lambda tag: f"{tag[1]}{int(tag[2]) - 1}", steps)
    return _page(
        content.title,
        f"""<h1>{escape(content.title)}</h1>
{"".join(map(html.block, content.intro))}
{steps}""",
    )


def _page(title: str, body: str) -> str:
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{escape(title)}</title>
<style>{PAGE_STYLE}{CONTENT_STYLE}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""
