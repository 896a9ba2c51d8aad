"""Count the lines of Python in bleu and app: `python -m tests.support.line_count`.

Data tables do not count: literals of at least `MIN_TABLE_LINES` lines that a module or class
assigns.
"""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
MIN_TABLE_LINES = 8


def table_lines(source: str) -> int:
    """Return the number of lines that data tables take in a module.

    >>> table_lines("A = {\\n" + "    1: 2,\\n" * 20 + "}\\nB = [1]")
    22
    """
    tables = 0
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(
            node.value, ast.Dict | ast.List | ast.Set | ast.Tuple | ast.Call
        ):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            tables += lines if node.col_offset == 0 and lines >= MIN_TABLE_LINES else 0
    return tables


if __name__ == "__main__":
    sources = [
        path.read_text("utf-8") for top in ("bleu", "app") for path in (ROOT / top).rglob("*.py")
    ]
    lines = sum(source.count("\n") for source in sources)
    tables = sum(map(table_lines, sources))
    print(f"{lines:,} lines, {tables:,} of them data tables: {lines - tables:,}")
