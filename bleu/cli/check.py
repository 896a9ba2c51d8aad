"""The command that checks files: `python -m bleu check --hypotheses F --references F`."""

from collections.abc import Sequence

from bleu.analysis.finding import Finding
from bleu.cli.corpus_options import SCORING_OPTIONS
from bleu.cli.findings import check_systems, finding_line, findings_json
from bleu.cli.help import Parser, command_parser, conventions_help
from bleu.cli.options import FORMAT_OPTION, add_options, parse_settings, setting_options
from bleu.cli.run import print_json, print_note, print_text
from bleu.cli.tables import TABLE_OPTIONS, use_table
from bleu.cli.texts import read_separately, read_texts
from bleu.corpus.text_files import FileError, display_name
from bleu.explanation.phrases import count_with_noun, escape_invisible


def check_parser() -> Parser:
    """Return the parser of `python -m bleu check`."""
    parser = command_parser(
        "check",
        "What is wrong with files, and how many points of BLEU each fault costs. The files are "
        "those of the command corpus. They may have different numbers of lines.",
        conventions_help(),
    )
    add_options(
        parser,
        {
            "--hypotheses": {
                **SCORING_OPTIONS["--hypotheses"],
                "help": "the output of one system or several",
            },
            "--references": SCORING_OPTIONS["--references"],
            **{name: SCORING_OPTIONS[name] for name in TABLE_OPTIONS},
            "--sources": {"metavar": "FILE", "help": "the source texts"},
            **setting_options("sacrebleu"),
            "--old-mac-lines": SCORING_OPTIONS["--old-mac-lines"],
            "--as-text": SCORING_OPTIONS["--as-text"],
            **FORMAT_OPTION,
        },
    )
    return parser


def main(arguments: Sequence[str]) -> int:
    """Print the faults of files, and return the exit code.

    The exit code is 0 whether there are faults or not, or 1 if a file cannot be read.
    """
    parser = check_parser()
    options = parser.parse(arguments)
    settings = parse_settings(parser, options)
    options.num_refs, options.between_tabs = 1, False
    try:
        if options.table:
            use_table(parser, options)
        elif not (options.hypotheses and options.references):
            parser.error("give --hypotheses and --references, or both in one --table")
        options.systems = options.hypotheses
        if options.table:
            systems, references = options.table_texts.segments(options.systems)
        else:
            systems, references = read_separately(options, print_note)
        for name, texts in zip(options.systems, systems, strict=True):
            if not texts:
                raise FileError(f"{display_name(name)} is empty; give one segment per line")
        sources = list(read_texts(options.sources, options)) if options.sources else []
        files = options.systems, options.references
        findings = check_systems(
            options.systems, systems, references, files, settings, sources=sources
        )
    except ValueError as error:
        return parser.report(error)
    if options.format == "json":
        return print_json({"findings": findings_json(findings)})
    lines = [
        "\n".join([finding_line(system, finding), *_example_lines(finding)])
        for system, finding in findings
    ]
    segments = count_with_noun(len(references), "segment")
    return print_text("\n\n".join(lines or [f"No fault was found in {segments}."]) + "\n")


def _example_lines(finding: Finding) -> list[str]:
    return [
        f"  line {example.line:,}: {escape_invisible(example.text)}" for example in finding.examples
    ]
