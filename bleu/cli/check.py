"""The command that checks files: `python -m bleu check --hypotheses F --references F`."""

from collections.abc import Sequence
from typing import Final

from bleu.analysis.evaluation import Plan, findings_json, iter_findings
from bleu.analysis.finding import Finding
from bleu.cli.corpus import SCORING_OPTIONS
from bleu.cli.findings import byte_order_marks, finding_line
from bleu.cli.options import FORMAT_OPTION, Options, parse_settings, setting_options
from bleu.cli.tables import TABLE_OPTIONS, use_table
from bleu.cli.terminal import Parser, print_json, print_text, run_with_progress
from bleu.cli.texts import READING_DEFAULTS, read_separately
from bleu.corpus.text_files import FileError, display_name
from bleu.explanation.phrases import count_with_noun, escape_invisible

DESCRIPTION: Final = (
    "What is wrong with files, and how many points of BLEU each fault costs. The files are "
    "those of the command corpus. They may have different numbers of lines."
)
OPTIONS: Final[Options] = {
    "--hypotheses": {
        **SCORING_OPTIONS["--hypotheses"],
        "help": "the output of one system or several",
    },
    "--references": SCORING_OPTIONS["--references"],
    **TABLE_OPTIONS,
    "--sources": {"metavar": "FILE", "help": "the source texts"},
    **setting_options("sacrebleu"),
    "--old-mac-lines": SCORING_OPTIONS["--old-mac-lines"],
    "--as-text": SCORING_OPTIONS["--as-text"],
    **FORMAT_OPTION,
}


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Print the faults of files, if any; return 0, or 1 if a file cannot be read."""
    parser.set_defaults(**READING_DEFAULTS)
    options = parser.parse(arguments)
    settings = parse_settings(parser, options)
    try:
        if options.table:
            use_table(parser, options)
        elif not (options.hypotheses and options.references):
            parser.error("--hypotheses or --references is missing; give both, or --table")
        options.systems = options.hypotheses
        parser.check_standard_input([*options.systems, *options.references, options.sources])
        systems, references, sources = read_separately(options, options.sources)
        for name, texts in zip(options.systems, systems, strict=True):
            if not texts:
                raise FileError(f"{display_name(name)} is empty; give one segment per line")
        if len(sources) not in (0, len(references)):
            raise FileError(
                f"{display_name(options.sources)} has {count_with_noun(len(sources), 'line')} for "
                f"{count_with_noun(len(references), 'segment')}; give one source for each"
            )
        plan = Plan(options.systems, sources=sources, has_bom=byte_order_marks(options))
        findings = run_with_progress(iter_findings(systems, references, settings, plan))
    except ValueError as error:
        return parser.report(error)
    if options.format == "json":
        return print_json({"findings": findings_json(findings, plan.names)})
    lines = [
        "\n".join([finding_line(item, plan.names, "check"), *_example_lines(item.finding)])
        for item in findings
    ]
    segments = count_with_noun(len(references), "segment")
    return print_text("\n\n".join(lines or [f"No fault was found in {segments}."]) + "\n")


def _example_lines(finding: Finding) -> list[str]:
    return [
        f"  line {example.line:,}: {escape_invisible(example.text)}" for example in finding.examples
    ]
