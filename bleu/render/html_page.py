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
:root {
  color-scheme: light dark;
  --soft: light-dark(#565d6a, #a4abb8); --tint: light-dark(#f3f4f6, #1b1f28);
  --counts: light-dark(#0b37b4, #9db8ff); --counts-tint: light-dark(#e6ecfb, #1d2a50);
  --clipped: light-dark(#994700, #f2ab68); --clipped-tint: light-dark(#fcecd9, #3a2916);
}
body {
  max-width: 58rem; margin: 2rem auto; padding: 0 1.25rem;
  background: light-dark(#fff, #11141b); color: light-dark(#171a21, #e6e8ec);
  font: 1.0625rem/1.6 Charter, Cambria, "Noto Serif", Georgia, serif;
}
h1 { font-size: 1.375rem; border-block-end: 1px solid; padding-block-end: .5rem; }
h2, h3 { line-height: 1.2; }
h4, figcaption, .source, .checked, .signature { font-family: system-ui, sans-serif; }
.step > h2, .step > h3 { font-size: 1.25rem; }
.step { padding-block: .75rem; }
a { color: inherit; text-decoration-thickness: 1px; text-underline-offset: .18em; }
:is(h2, h3, .scale) > a { text-decoration: none; }
nav.steps ol { display: flex; flex-wrap: wrap; gap: 0 1.25rem; padding: 0; list-style: none; }
.source, .checked, .signature, .interpretation { color: var(--soft); font-size: .875rem; }
small, .mark, thead th { color: var(--soft); font-size: .8125rem; font-weight: normal; }
.headline b { color: var(--counts); font: 400 2rem/1.15 Charter, Cambria, Georgia, serif; }
.headline .scale:first-child b { font-size: 4.5rem; letter-spacing: -.02em; }
meter { width: 8rem; }
meter::-webkit-meter-optimum-value { background: var(--counts); }
meter::-moz-meter-bar { background: var(--counts); }
.ngram {
  padding: .08em .35em; border-radius: 3px; background: var(--tint);
  font-family: system-ui, sans-serif; font-size: .9375em;
}
q { quotes: none; }
.credited .ngram, .token-list .credited > * {
  border-color: var(--counts); background: var(--counts-tint); color: var(--counts);
}
.clipped .ngram, .token-list .clipped > * {
  border-color: var(--clipped); background: var(--clipped-tint); color: var(--clipped);
}
.unmatched .ngram { padding: 0; background: none; text-decoration: underline dotted; }
tr.unmatched > *, .unmatched .ngram, .token-list .unmatched > * { color: var(--soft); }
tr.credited td:last-child { color: var(--counts); font-weight: bold; }
tr.clipped td:last-child { color: var(--clipped); font-weight: bold; }
.token-list li > * { border-radius: 3px; }
.note { padding: .75rem 1rem; border: 0; border-radius: 4px; background: var(--tint); }
.drawing { background: none; }
.ink-fill { fill: currentcolor; }
.soft-fill { fill: var(--soft); }
.counts-fill { fill: var(--counts); }
.clipped-fill { fill: var(--clipped); }
.halo { stroke: light-dark(#fff, #11141b); }
.ink-line { stroke: currentcolor; }
.soft-line, .line-line { stroke: var(--soft); }
.counts-line, .added-line { stroke: var(--counts); }
.clipped-line { stroke: var(--clipped); }
"""
"""The style of the page itself, after that of its content: the look of the calculator."""
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
.token-list .spoken { font-size: .75rem; }
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
<style>{CONTENT_STYLE}{PAGE_STYLE}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""
