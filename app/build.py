"""The build: runtimes from npm, trimmed and compiled, with the page, as a static folder."""

import gzip
import hashlib
import html
import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from urllib.parse import quote

from app.csp import policy
from app.exports import needed, shortened, trimmed
from app.instead import with_instead
from app.memory import with_memory
from app.trim import NEEDS_THE_PAGE
from app.view import page

RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LOADER, WASM = RUNTIME[1:]
PLUGINS = (
    "codemirror",
    "deprecations-manager",
    "donkey",
    "error",
    "py-editor",
    "py-game",
    "py-terminal",
)
"""PyScript's plugins, all turned off: the page shows its own errors, and has no editor."""
WORKER = "service-worker.js"
"""Served from beside index.html: a service worker controls its own folder and those below."""
STYLE = "style.css"
"""In the page itself, which is painted without waiting for another file."""
NOT_FILES = (WORKER, STYLE, "pictures")
"""What of `static` is not copied; the pictures are the README's."""
PLUGINS_OFF = {"plugins": [f"!{name}" for name in PLUGINS]}
SHORTENED = (
    "Pyodide and Python are not whole here: what the build leaves out, and what it puts in its"
    " place, is written in app/exports.py, app/instead.py and app/trim.py of this project."
)
"""What stands before the licences."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """Something of others in the build: its name, version, licence, and the licence's text."""

    name: str
    version: str
    licence: str
    text: str


def build(source: Path, target: Path) -> None:
    """Make `target` from the sources and node_modules below `source`; what was there is replaced.

    Raises FileNotFoundError where the npm packages are not installed, and RuntimeError with
    what Node.js said where the standard library could not be compiled or imported.
    """
    packages = source / "node_modules"
    if not (packages / "pyodide").is_dir() or not (packages / "@pyscript" / "core").is_dir():
        raise FileNotFoundError("the npm packages are missing: run npm ci, or make serve")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source / "static", target / "static", ignore=shutil.ignore_patterns(*NOT_FILES))
    _runtime(packages / "pyodide", target / "pyodide")
    _pyscript(packages / "@pyscript" / "core", target / "pyscript")
    _webassembly(target)
    _memory(source, packages, target / "pyodide")
    (target / ".nojekyll").touch()
    shipped = _shipped(packages)
    (target / "licenses.txt").write_text(_licenses(source, shipped), encoding="utf-8")
    template = (source / "index.html").read_text(encoding="utf-8")
    style = (source / "static" / STYLE).read_text(encoding="utf-8")
    text = page(template).replace("<!--build:head-->", _head(target, policy(style)))
    text = text.replace("<!--build:style-->", f"<style>{style}</style>")
    text = text.replace("<!--build:end-->", _end())
    names = (f"{one.name} {one.version} ({one.licence})" for one in shipped)
    text = text.replace("<!--build:licences-->", html.escape(", ".join(names)))
    worker = (source / "static" / WORKER).read_text(encoding="utf-8")
    build_id = _build_id(target, text + worker)
    text = text.replace("<html ", f'<html data-build="{build_id}" ', 1)
    (target / "index.html").write_text(text, encoding="utf-8")
    (target / WORKER).write_text(_worker(target, worker, build_id), encoding="utf-8")


def sizes(target: Path) -> list[tuple[str, int, int]]:
    """Every file of a build: its path, its size, and its size under gzip, in bytes."""
    return [
        (
            path.relative_to(target).as_posix(),
            path.stat().st_size,
            len(gzip.compress(path.read_bytes(), 9, mtime=0)),
        )
        for path in _files(target)
    ]


def _runtime(package: Path, folder: Path) -> None:
    folder.mkdir()
    for name in RUNTIME:
        shutil.copyfile(package / name, folder / name)


def _memory(source: Path, packages: Path, runtime: Path) -> None:
    npm, pyscript = packages / "pyodide", packages / "@pyscript" / "core" / "src" / "stdlib"
    with TemporaryDirectory() as folder:
        library, snapshot = Path(folder, "python_stdlib.zip"), Path(folder, "snapshot")
        with_instead(npm / library.name, library)
        _node(source, "app/trim.mjs", npm, pyscript, source, library)
        later = (*NEEDS_THE_PAGE, "pyscript")
        _node(source, "app/memory.mjs", npm, runtime, library, snapshot, *later)
        wasm = runtime / WASM
        wasm.write_bytes(with_memory(wasm.read_bytes(), snapshot.read_bytes()))


def _node(source: Path, script: str, *options: Path | str) -> None:
    command = ["node", script, *map(str, options)]
    with TemporaryFile("w+", encoding="utf-8") as log:
        done = subprocess.run(command, cwd=source, stdout=log, stderr=log, check=False)
        log.seek(0)
        # not the line of Pyodide's code in which it was, a megabyte long
        said = "".join(line for line in log if len(line) < 1000)
    if done.returncode:
        raise RuntimeError(f"{script} ended with an error:\n{said}")


def _pyscript(package: Path, folder: Path) -> None:
    folder.mkdir()
    for path in _core(package):
        # the maps are for debuggers, and are not shipped
        text = path.read_text(encoding="utf-8")
        (folder / path.name).write_text(text.partition("\n//# sourceMappingURL")[0] + "\n", "utf-8")


def _core(package: Path) -> list[Path]:
    # the error plugin is fetched even to be turned off
    folder = package / "dist"
    chunk = (folder / "core.js").read_text("utf-8").partition('from"./')[2].partition('"')[0]
    return [folder / "core.js", folder / chunk, *folder.glob("error-*.js")]


def _webassembly(target: Path) -> None:
    wasm, loader = (target / "pyodide" / name for name in (WASM, LOADER))
    others = [path for path in _files(target) if path.suffix in {".js", ".mjs"} and path != loader]
    scripts = [path.read_text(encoding="utf-8") for path in (loader, *others)]
    kept = needed(*scripts)
    wasm.write_bytes(trimmed(wasm.read_bytes(), kept))
    loader.write_text(shortened(scripts[0], kept), encoding="utf-8")


def _head(target: Path, rules: str) -> str:
    config = {"interpreter": "./static/python.mjs", **PLUGINS_OFF}
    pyscript = sorted(path.name for path in (target / "pyscript").iterdir())
    modules = (
        "static/python.mjs",
        *(f"pyscript/{n}" for n in pyscript),
        *(f"pyodide/{n}" for n in RUNTIME[:2]),
    )
    return "\n".join(
        [
            f'<meta http-equiv="Content-Security-Policy" content="{rules}">',
            f'<link rel="icon" href="{_icon(target)}">',
            *(f'<link rel="modulepreload" fetchpriority="low" href="{name}">' for name in modules),
            '<script defer src="static/file.js"></script>',
            '<script type="module" src="static/boot.mjs"></script>',
            '<script type="module" src="static/seal.mjs"></script>',
            f'<script type="py" config="{html.escape(json.dumps(config))}">'
            "from app import main</script>",
        ]
    )


def _icon(target: Path) -> str:
    # in the page itself, as browsers ask for it again and again, and a sealed page may not
    svg = (target / "static" / "icon.svg").read_text(encoding="utf-8")
    return f"data:image/svg+xml,{quote(svg)}"


def _end() -> str:
    # PyScript looks for MicroPython's plugins as well, though nothing here runs in it
    return f'<mpy-config type="json" hidden>{html.escape(json.dumps(PLUGINS_OFF))}</mpy-config>'


def _shipped(packages: Path) -> list[Shipped]:
    """What of others is in the build, from the packages themselves."""
    found = []
    for name, folder in (("PyScript", "@pyscript/core"), ("Pyodide", "pyodide")):
        facts = json.loads((packages / folder / "package.json").read_text(encoding="utf-8"))
        file = packages / folder / "LICENSE"
        text = file.read_text(encoding="utf-8") if file.exists() else facts["license"]
        licence, where = facts["license"].replace("APACHE", "Apache"), facts.get("homepage", "")
        found.append(Shipped(name, facts["version"], licence, f"{text}\n{where}"))
    lock = json.loads((packages / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
    python = "Copyright © Python Software Foundation. Python's licence is Python's own, PSF-2.0:\n"
    where = "https://docs.python.org/3/license.html"
    found.append(Shipped("Python", lock["info"]["python"], "PSF-2.0", python + where))
    return found


def _licenses(source: Path, shipped: list[Shipped]) -> str:
    own = (source / "LICENSE").read_text(encoding="utf-8")
    parts = [("This project", own), *((f"{one.name} {one.version}", one.text) for one in shipped)]
    texts = (f"{name}\n{'=' * len(name)}\n\n{text.strip()}" for name, text in parts)
    return "\n\n".join([SHORTENED, *texts]) + "\n"


def _worker(target: Path, template: str, build_id: str) -> str:
    # "./" and not index.html, which some hosts redirect
    names = {path.relative_to(target).as_posix(): path for path in _files(target)}
    del names[".nojekyll"]
    digests = {
        "./" if name == "index.html" else name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in names.items()
    }
    files = json.dumps(digests, indent=2)
    return template.replace("@build@", build_id).replace('{ "@file@": "@digest@" }', files)


def _build_id(target: Path, text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for path in _files(target):
        digest.update(path.relative_to(target).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _files(target: Path) -> list[Path]:
    return sorted(path for path in target.rglob("*") if path.is_file())
