"""The command line of the build tools: `python -m app build`, `serve` and `list`."""

import argparse
import signal
import sys
from pathlib import Path

from app.build import UnrecognisedError

ROOT = Path(__file__).resolve().parent.parent
UPGRADE_ADVICE = "; see “Upgrading Pyodide and PyScript” in app/build/README.md"
"""The end of an error about a Pyodide or PyScript that is not as the build expects."""


def main() -> int:
    """Run a tool and return its exit code; an error is printed as one line."""
    parser = argparse.ArgumentParser("python -m app", description="Build and serve the page.")
    tools = parser.add_subparsers(dest="tool", required=True)
    tools.add_parser("build", help="make dist/, a folder that any web server can serve")
    server = tools.add_parser("serve", help="serve dist/ on this machine")
    server.add_argument("--port", type=int, default=8000)
    server.add_argument("--no-browser", action="store_true", help="do not open a browser")
    tools.add_parser("list", help="list the npm packages' files; needed after an upgrade")
    options = parser.parse_args()
    try:
        # Imported inside the try block, because Ctrl+C may arrive during the import.
        from bleu.cli.terminal import run_command

        return run_command(lambda: _run(options), "python -m app")
    except KeyboardInterrupt:
        return 130


def _run(options: argparse.Namespace) -> int:
    from app.build.assemble import build
    from app.build.runtime import write_file_list
    from app.build.serve import make_server, serve

    target = ROOT / "dist"
    try:
        if options.tool == "build":
            # SIGTERM then raises KeyboardInterrupt, so the build removes its unfinished files.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            build(ROOT, target)
        elif options.tool == "list":
            write_file_list(ROOT)
        else:
            server = make_server(target, options.port)
    except (OSError, RuntimeError, ValueError) as error:
        is_upgrade = isinstance(error, UnrecognisedError)
        print(f"{error}{UPGRADE_ADVICE if is_upgrade else ''}", file=sys.stderr)
        return 1
    if options.tool == "build":
        _print_sizes(target)
    elif options.tool == "serve":
        serve(server, open_browser=not options.no_browser)
    return 0


def _print_sizes(target: Path) -> None:
    from app.build.assemble import sizes

    rows = sizes(target)
    total = sum(size for _, size, _ in rows), sum(packed for _, _, packed in rows)
    for name, size, packed in (*rows, ("all", *total)):
        print(f"{size:>12,}  {packed:>12,} gzip  {name}")


if __name__ == "__main__":
    sys.exit(main())
