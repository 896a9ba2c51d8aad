"""The host's tools: `python -m app build` and `python -m app serve`."""

import argparse
import sys
from pathlib import Path

from app.build import build, sizes
from app.serve import serve

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run one of the tools; the exit code. An error is one line."""
    parser = argparse.ArgumentParser("python -m app", description="Build and serve the page.")
    tools = parser.add_subparsers(dest="tool", required=True)
    tools.add_parser("build", help="make dist/, a folder that any web server can serve")
    server = tools.add_parser("serve", help="serve dist/ on this machine")
    server.add_argument("--port", type=int, default=8000)
    server.add_argument("--no-browser", action="store_true", help="do not open a browser")
    options = parser.parse_args()
    try:
        if options.tool == "build":
            build(ROOT, ROOT / "dist")
            _print_sizes(ROOT / "dist")
        else:
            serve(ROOT / "dist", options.port, browser=not options.no_browser)
    except (OSError, RuntimeError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _print_sizes(target: Path) -> None:
    rows = sizes(target)
    for name, size, packed in (*rows, ("all", sum(r[1] for r in rows), sum(r[2] for r in rows))):
        print(f"{size:>12,}  {packed:>12,} gzip  {name}")


if __name__ == "__main__":
    sys.exit(main())
