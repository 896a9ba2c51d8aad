"""Files of kinds that no list names: their texts have the score of plain lines."""

import csv
import json
from collections.abc import Callable
from functools import partial
from xml.sax.saxutils import escape

import pytest

import bleu
from bleu.__main__ import main
from tests.support.table_files import separated

pytestmark = pytest.mark.host

SOURCES = """\
Der Schlüssel liegt unter der Matte.
Bitte warten Sie einen Moment!
Unser Zug hat 15 Minuten Verspätung.
Wer hat das Licht ausgemacht?
Die Straße ist wegen Bauarbeiten gesperrt.
Oma backt jeden Sonntag Kuchen.
Das Schiff erreichte den Hafen am Abend.
Er vergaß, die Blumen zu gießen.
Im Winter füttern wir die Vögel.
Ihr Koffer wurde nicht gefunden.
""".splitlines()
HYPOTHESES = """\
The key lies under the mat.
Please wait one moment!
Our train is 15 minutes late.
Who has switched off the light?
The street is closed due to works.
Grandma bakes a cake each Sunday.
The ship reached the port in the evening.
He forgot watering the flowers.
In winter we are feeding the birds.
Your suitcase has not been found.
""".splitlines()
REFERENCES = """\
The key is under the mat.
Please wait a moment!
Our train is running 15 minutes late.
Who switched off the light?
The road is closed because of works.
Grandma bakes cakes every Sunday.
The ship reached the harbour in the evening.
He forgot to water the flowers.
In winter we feed the birds.
Your suitcase was not found.
""".splitlines()
KEYS = [f"page{number // 4}.label_{number}" for number, _ in enumerate(SOURCES)]
WANTED = bleu.corpus_bleu(HYPOTHESES, [[text] for text in REFERENCES], convention="sacrebleu").value


def arb(texts):
    entries = {"@@locale": "en"}
    for key, text in zip(KEYS, texts, strict=True):
        entries |= {key: text, f"@{key}": {"description": "A label of the page"}}
    return json.dumps(entries, indent=2)


def nested_catalogue(texts):
    pages = {}
    for key, text in zip(KEYS, texts, strict=True):
        page, _, label = key.partition(".")
        pages.setdefault(page, {})[label] = text
    return json.dumps({"en": pages}, indent=2, ensure_ascii=False)


def yaml(texts):
    lines = ["en:"]
    for number, (key, text) in enumerate(zip(KEYS, texts, strict=True)):
        page, _, label = key.partition(".")
        lines += [f"  {page}:"] if number % 4 == 0 else []
        lines.append(f'    {label}: "{text}"' if number % 2 else f"    {label}: {text}")
    return "\n".join(lines)


def strings(texts):
    pairs = zip(KEYS, texts, strict=True)
    return "/* Labels */\n" + "\n".join(f'"{key}" = "{text}";' for key, text in pairs)


def xcstrings(texts):
    units = ({"stringUnit": {"state": "translated", "value": text}} for text in texts)
    strings = {key: {"localizations": {"en": unit}} for key, unit in zip(KEYS, units, strict=True)}
    return json.dumps({"sourceLanguage": "de", "strings": strings, "version": "1.0"}, indent=1)


def fluent(texts):
    pairs = zip(KEYS, texts, strict=True)
    return "\n".join(f"{key.replace('.', '-')} = {text}" for key, text in pairs)


def toml(texts):
    return "\n".join(f'{key} = "{text}"' for key, text in zip(KEYS, texts, strict=True))


def xml(line, head="", tail=""):
    def write(texts):
        rows = enumerate(zip(KEYS, SOURCES, texts, strict=True))
        lines = (line.format(n=n, key=k, source=s, text=escape(t)) for n, (k, s, t) in rows)
        return "\n".join([head, *lines, tail]).strip("\n")

    return write


def jed(texts):
    messages = {"": {"lang": "en"}} | {s: [t] for s, t in zip(SOURCES, texts, strict=True)}
    return json.dumps({"domain": "messages", "locale_data": {"messages": messages}})


def labels(template):
    return lambda texts: "\n".join(
        template.format(n=number, source=source, text=text)
        for number, (source, text) in enumerate(zip(SOURCES, texts, strict=True))
    )


def json_lines(make):
    def write(texts):
        rows = enumerate(zip(SOURCES, texts, strict=True))
        return "\n".join(json.dumps(make(n, source, text)) for n, (source, text) in rows)

    return write


def whole_json(make):
    return lambda texts: json.dumps(make(texts), indent=1, ensure_ascii=False)


def quoted_csv(*names):
    options = {"names": names, "quoting": csv.QUOTE_ALL, "lineterminator": "\r\n"}
    return lambda texts: (
        "\ufeff"
        + separated(
            [(str(n), *row) for n, row in enumerate(zip(SOURCES, texts, strict=True))], **options
        )
    )


def markdown(texts):
    rows = (f"| {n} | {s} | {t} |" for n, (s, t) in enumerate(zip(SOURCES, texts, strict=True)))
    return "\n".join(["| No. | German | English |", "|----:|--------|---------|", *rows])


def pandas(orient):
    def write(texts):
        names = "German", "English"
        rows = list(zip(SOURCES, texts, strict=True))
        return json.dumps(
            {
                "columns": {
                    name: {str(n): row[index] for n, row in enumerate(rows)}
                    for index, name in enumerate(names)
                },
                "index": {str(n): dict(zip(names, row, strict=True)) for n, row in enumerate(rows)},
                "values": rows,
                "table": {
                    "schema": {"fields": [{"name": name, "type": "string"} for name in names]},
                    "data": [dict(zip(names, row, strict=True)) for row in rows],
                },
            }[orient]
        )

    return write


KINDS: dict[str, Callable[[list[str]], str]] = {
    "ARB of Flutter": arb,
    "nested catalogue in JSON": nested_catalogue,
    "YAML of Rails": yaml,
    "strings of iOS": strings,
    "string catalogue of Xcode": xcstrings,
    "Fluent": fluent,
    "TOML": toml,
    "strings of Android": xml(
        '<string name="{key}">{text}</string>', "<resources>", "</resources>"
    ),
    "TS of Qt": xml(
        "<message><source>{source}</source><translation>{text}</translation></message>",
        '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS version="2.1"><context><name>Main</name>',
        "</context></TS>",
    ),
    "resources of .NET": xml(
        '<data name="{key}" xml:space="preserve"><value>{text}</value></data>',
        '<?xml version="1.0"?>\n<root>\n<resheader name="version"><value>2.0</value></resheader>',
        "</root>",
    ),
    "TTML": xml(
        '<p begin="00:00:0{n}.000" end="00:00:0{n}.900">{text}</p>',
        '<?xml version="1.0"?>\n<tt><body><div>',
        "</div></body></tt>",
    ),
    "OPUS": xml('<s id="s{n}">{text}</s>', '<?xml version="1.0"?>\n<text>', "</text>"),
    "JSON of Jed": jed,
    "log of fairseq": labels("S-{n}\t{source}\nT-{n}\tx\nH-{n}\t-0.41\t{text}\nP-{n}\t-0.1 -0.2"),
    "log of OpenNMT": labels("SENT {n}: {source}\nPRED {n}: {text}\nPRED SCORE: -2.1"),
    "list of the n best": labels("{n} ||| {text} ||| -9.1 ||| -3.2\n{n} ||| bad ||| -9 ||| -9"),
    "Tatoeba": labels("{n}\teng\t{text}"),
    "source and text with bars": labels("{source} ||| {text}"),
    "lyrics": labels("[00:0{n}.50]{text}"),
    "SBV of YouTube": labels("0:00:0{n}.000,0:00:0{n}.900\n{text}\n"),
    "table of whisper": lambda texts: "\n".join(
        ["start\tend\ttext", *(f"{2000 * n}\t{2000 * n + 1999}\t{t}" for n, t in enumerate(texts))]
    ),
    "lists of tokens": lambda texts: "\n".join(json.dumps([text]) for text in texts),
    "JSON of whisper": whole_json(
        lambda texts: {
            "text": " ".join(texts),
            "segments": [
                {"id": n, "start": 2.5 * n, "end": 2.5 * n + 2, "text": f" {t}", "tokens": [n, 7]}
                for n, t in enumerate(texts)
            ],
            "language": "en",
        }
    ),
    "array of texts": whole_json(list),
    "array of lists": whole_json(lambda texts: [[text] for text in texts]),
    "list of Python": str,
    "words in lists of Python": lambda texts: "\n".join(str(text.split()) for text in texts),
    "lists beside a number": whole_json(lambda texts: {"score": 1, "texts": texts, "src": SOURCES}),
    "texts by key": whole_json(lambda texts: {f"k{n}": text for n, text in enumerate(texts)}),
    "names of columns, and data": whole_json(
        lambda texts: {"columns": ["a", "b"], "data": list(zip(SOURCES, texts, strict=True))}
    ),
    "translations by language": json_lines(lambda _, s, t: {"translation": {"de": s, "en": t}}),
    "DeepL": whole_json(
        lambda texts: {"translations": [{"detected_language": "DE", "text": t} for t in texts]}
    ),
    "Google": whole_json(
        lambda texts: {"data": {"translations": [{"translatedText": text} for text in texts]}}
    ),
    "Azure": whole_json(lambda texts: [{"translations": [{"text": t, "to": "en"}]} for t in texts]),
    "LibreTranslate": whole_json(lambda texts: {"translatedText": texts}),
    "Gemini": json_lines(
        lambda n, _, t: {
            "key": f"request-{n}",
            "response": {"candidates": [{"content": {"parts": [{"text": t}], "role": "model"}}]},
        }
    ),
    "Label Studio": whole_json(
        lambda texts: [
            {
                "id": n,
                "data": {"text": source},
                "annotations": [{"result": [{"value": {"text": [text]}, "type": "textarea"}]}],
            }
            for n, (source, text) in enumerate(zip(SOURCES, texts, strict=True))
        ]
    ),
    "instances of an evaluation": whole_json(
        lambda texts: {"metric": "bleu", "instances": [{"output": {"text": t}} for t in texts]}
    ),
    "steps of a trace": json_lines(
        lambda n, s, t: {"run": {"id": n, "inputs": {"q": s}, "outputs": [{"generated_text": t}]}}
    ),
    "objects of Python": lambda texts: "\n".join(
        str({"n": n, "de": s, "en": t}) for n, (s, t) in enumerate(zip(SOURCES, texts, strict=True))
    ),
    "CSV of Excel": quoted_csv("No.", "German", "English"),
    "CSV without names": quoted_csv(),
    "table of Markdown": markdown,
    **{f"pandas, {name}": pandas(name) for name in ("columns", "index", "values", "table")},
}  # fmt: skip
"""What writes a file of each kind."""


def run(folder, capsys, hypotheses, references, *options):
    """Return the score of two files, and the notes on them."""
    for name, text in (("hyp", hypotheses), ("ref", references)):
        (folder / name).write_bytes(text.encode())
    files = ["--hypotheses", str(folder / "hyp"), "--references", str(folder / "ref")]
    capsys.readouterr()
    status = main(["corpus", *files, "--format", "json", *options])
    printed, notes = capsys.readouterr()
    assert not status, notes
    return json.loads(printed)["systems"][0]["score"], notes


@pytest.mark.parametrize("kind", KINDS)
def test_texts_of_any_kind_of_file_are_scored(kind, tmp_path, capsys):
    write = KINDS[kind]
    for hypotheses, references in (
        (write(HYPOTHESES), write(REFERENCES)),
        (write(HYPOTHESES), "\n".join(REFERENCES)),
        ("\n".join(HYPOTHESES), write(REFERENCES)),
    ):
        score, notes = run(tmp_path, capsys, hypotheses, references)
        assert score == WANTED
        assert notes  # It says what was read.


def rated(texts):
    """Return MQM's table, with the marks of the first of two raters."""
    rows = (
        f"S\t{n}\t{rater}\t{source}\t{text.replace('the', '<v>the</v>', 2 - rater)}\tNo-error"
        for n, (source, text) in enumerate(zip(SOURCES, texts, strict=True))
        for rater in (1, 2)
    )
    return "\n".join(["system\tseg_id\trater\tsource\ttarget\tcategory", *rows])


PAIRS = {
    **{name: KINDS[name] for name in (
        "CSV of Excel", "table of Markdown", "log of fairseq", "CSV without names",
        "translations by language")},
    "Kaggle": lambda texts: "\n".join(
        ["Id,Predicted", *(f'{n},"{text}"' for n, text in enumerate(texts))]),
    "ratings of MQM": rated,
    "Markdown with numbers": lambda texts: markdown(texts).replace("No.", "#"),
    "lines of Windows and an empty one": lambda texts: "\r\n".join([*texts, "", ""]),
}  # fmt: skip
"""Files of which each side may be another kind, with the same sources on both sides."""


@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("other", PAIRS)
def test_sides_of_two_kinds_are_scored(kind, other, tmp_path, capsys):
    score, notes = run(tmp_path, capsys, PAIRS[kind](HYPOTHESES), PAIRS[other](REFERENCES))
    assert score == WANTED, notes


def test_all_columns_that_options_name_are_read(tmp_path, capsys):
    rows = zip(SOURCES, REFERENCES, strict=True)
    references = "\n".join(json.dumps({"x": x, "y": y}) for x, y in rows)
    hypotheses = "\n".join(json.dumps({"a": text, "b": "No."}) for text in HYPOTHESES)
    names = "--hypothesis-column=a", "--reference-column=y", "--reference-column=x"
    score, notes = run(tmp_path, capsys, hypotheses, references, *names)
    both = zip(REFERENCES, SOURCES, strict=True)
    assert score == bleu.corpus_bleu(HYPOTHESES, [*both], convention="sacrebleu").value
    assert "its texts are those of y and x" in notes
    assert "which match" not in notes


def test_backslashes_of_android_are_escapes(tmp_path, capsys):
    write = xml('<string name="{key}">{text}</string>', "<resources>", "</resources>")
    quoted = [text.replace("is", "isn't", 1) for text in HYPOTHESES]
    escaped = write([text.replace("'", "\\'") for text in quoted])
    score, _ = run(tmp_path, capsys, escaped, "\n".join(REFERENCES))
    assert score == run(tmp_path, capsys, "\n".join(quoted), "\n".join(REFERENCES))[0]


def test_empty_lines_at_the_end_are_left_out_with_a_note(tmp_path, capsys):
    lines, longer = "\n".join(HYPOTHESES), "\n".join([*REFERENCES, "", "", ""])
    score, notes = run(tmp_path, capsys, lines, longer)
    assert score == WANTED
    assert "ref ends with empty lines, which are left out" in notes
    score, notes = run(tmp_path, capsys, f"{lines}\n\n\n", "\n".join(REFERENCES))
    assert score == WANTED
    assert "hyp ends with empty lines, which are left out" in notes
    with pytest.raises(AssertionError, match="ends after line 10"):
        run(tmp_path, capsys, lines, f"{longer} x")


def objects(make):
    return lambda rows: "\n".join(json.dumps(make(n, *row)) for n, row in enumerate(rows))


def whole(make):
    return lambda rows: json.dumps(make(rows, *map(list, zip(*rows, strict=True))))


def chat(source, text):
    return [{"role": "user", "content": source}, {"role": "assistant", "content": text}]


TABLES: dict[str, Callable[[list[tuple[str, str, str]]], str]] = {
    **{
        f"CSV of {system} and {reference}": partial(separated, names=(source, system, reference))
        for source, system, reference in (
            ("src", "pred", "gt"), ("source", "model_output", "reference"), ("src", "mt", "pe"),
            ("x", "y_pred", "y_true"), ("source", "translated", "target"),
            ("src", "tgt_pred", "tgt"),
            ("German", "Predicted English", "English"), ("a", "hypothesis", "b"),
        )
    },
    "TSV without names": partial(separated, separator="\t"),
    "CSV of Excel with its separator": lambda rows: "sep=;\n" + separated(
        rows, ("src", "mt", "ref"), ";"),
    "columns between bars": partial(separated, names=("src", "mt", "ref"), separator="|"),
    "lists beside a score": whole(
        lambda _, _s, h, r: {"score": 65.6, "predictions": h, "references": r}),
    "lists of lists of references": whole(
        lambda _, s, h, r: {"sources": s, "predictions": h, "references": [[x] for x in r]}),
    "names of columns, and data": whole(lambda rows, *_: {
        "columns": ["prompt", "output", "target"], "data": rows}),
    "scores beside names and data": whole(lambda rows, *_: {
        "columns": ["inputs", "outputs", "ground_truth", "bleu/v1/score"],
        "data": [[*row, 0.5] for row in rows]}),
    "parts of a run": whole(lambda rows, *_: {"run": {"results": [
        {"input": s, "output": {"text": h}, "expected": r} for s, h, r in rows]}}),
    "paths as names": objects(lambda _, s, h, r: {
        "inputs.query": s, "inputs.ground_truth": r, "inputs.response": h, "outputs.score": 0.5}),
    "answers and chats": objects(lambda _, s, h, r: {
        "response": h, "labels": r, "logprobs": None, "messages": chat(s, h)}),
    "a manifest of speech": objects(lambda n, _, h, r: {
        "audio_filepath": f"wav/{n}.wav", "duration": 3.2, "text": r, "pred_text": h}),
    "a log of delays": objects(lambda n, _, h, r: {
        "index": n, "prediction": h, "delays": [1.0, 2.0], "prediction_length": 9, "reference": r,
        "source": ["x.wav", "samplerate: 16000"]}),
    "samples of lm-evaluation-harness": objects(lambda n, s, h, r: {
        "doc_id": n, "doc": {"de": s, "en": r}, "target": f" {r}", "resps": [[f" {h}"]],
        "filtered_resps": [f" {h}"], "target_hash": "f", "bleu": [r, h]}),
    "ids that match": objects(lambda n, _, h, r: {
        "id": f"b{n}", "custom_id": f"request-{n}", "answer": h, "gold": r}),
}  # fmt: skip
"""What writes a file with both sides of each kind, from sources, hypotheses and references."""


@pytest.mark.parametrize("kind", TABLES)
def test_both_sides_in_one_file_of_any_kind_are_scored(kind, tmp_path, capsys):
    rows = list(zip(SOURCES, HYPOTHESES, REFERENCES, strict=True))
    (tmp_path / "all").write_text(TABLES[kind](rows), encoding="utf-8")
    capsys.readouterr()
    status = main(["corpus", "--table", str(tmp_path / "all"), "--format", "json"])
    printed, notes = capsys.readouterr()
    assert not status, notes
    assert [system["score"] for system in json.loads(printed)["systems"]] == [WANTED], notes
