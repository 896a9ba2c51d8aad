"""The build: runtimes from npm, trimmed and compiled, with the page, as a static folder."""

import gzip
import hashlib
import html
import json
import re
import shutil
import subprocess
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from app.build import FAST, PLAIN, RUNTIMES
from app.build.csp import ONLY_BY_HEADER, policy
from app.build.docs import PAGE, docs_page
from app.build.font import Font, subset_font
from app.build.packages import copy_listed_files
from app.build.runtime import START, START_PLAIN, WASM, fast, plain
from app.build.single_file import NAME, SCRIPT, single_file
from app.build.unrecognised import UnrecognisedError
from app.build.wheel import make_wheel
from app.template import fill_template
from bleu.version import __version__

PLUGINS = (
    *("codemirror", "deprecations-manager", "donkey", "error"),
    *("py-editor", "py-game", "py-terminal"),
)
"""PyScript's plugins, all turned off: the page shows its own errors, and has no editor."""
WORKER = "service-worker.js"
"""Served from beside index.html: a service worker controls its own folder and those below."""
STYLE = "style.css"
"""In the page itself, which is painted without waiting for another file."""
FIRST = "first.js"
"""The script in the page itself, which says so where a file does not come."""
FONT = 'url("math.woff2")'
"""What stands in the style sheet for the font of the formulas, which is in the page, too."""
NOT_FILES = (WORKER, STYLE, FIRST, START_PLAIN, SCRIPT, "pictures")
"""What of `static` is not copied as it is; the pictures are the README's."""
OFFER = re.compile(r'<p id="one-file".*?</p>\n', re.DOTALL)
"""What offers the page in one file, which is made of the fast runtime alone."""
PLUGINS_OFF = {"plugins": [f"!{name}" for name in PLUGINS]}
SHORTENED = (
    "Pyodide and Python are not whole here: what the build leaves out, and what it puts in its"
    " place, is written in app/build/README.md of this project."
)
"""What stands before the licences, where the runtime is not plain."""


@dataclass(frozen=True, slots=True)
class ThirdPartyPackage:
    """Something of others in the build: its name, version, licence, and the licence's text."""

    name: str
    version: str
    licence: str
    text: str


def build(source: Path, target: Path, runtime: str = FAST) -> UnrecognisedError | None:
    """Make `target` from the sources and node_modules below `source`; what was there is replaced.

    That is done in one go, when all is made: until then, and after an error, it stays as it was.
    Where Pyodide or PyScript is not as the fast runtime knows it, the plain one is taken, and the
    reason returned.

    Raises FileNotFoundError where the packages are not installed, ValueError for a runtime that
    there is not and where a file of the packages was changed, and RuntimeError with what Node.js
    said where the standard library could not be compiled or imported.
    """
    if runtime not in RUNTIMES:
        raise ValueError(f"runtime is {runtime!r}; choose one of {', '.join(RUNTIMES)}")
    reason, font, docs = None, subset_font(), docs_page()
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as folder:
        copy_listed_files(source, Path(folder))
        packages, made = Path(folder, "node_modules"), Path(folder, "made")
        try:
            _make(source, packages, font, docs, made, runtime)
        except UnrecognisedError as error:
            reason = error
            shutil.rmtree(made)
            _make(source, packages, font, docs, made, PLAIN)
        _replace(target, made, Path(folder, "replaced"))
    return reason


def _replace(target: Path, made: Path, replaced: Path) -> None:
    try:
        if target.exists():
            target.rename(replaced)
        made.rename(target)
    except BaseException:
        if replaced.exists() and not target.exists():
            replaced.rename(target)
        raise


def _make(source: Path, packages: Path, font: Font, docs: str, target: Path, runtime: str) -> None:
    shutil.copytree(source / "static", target / "static", ignore=shutil.ignore_patterns(*NOT_FILES))
    _pyscript(packages / "@pyscript" / "core", target / "pyscript")
    make_runtime = fast if runtime == FAST else plain
    make_runtime(source, packages, target)
    (target / ".nojekyll").touch()
    (target / PAGE).parent.mkdir()
    (target / PAGE).write_text(docs, encoding="utf-8")
    shipped = [
        *_shipped(packages),
        ThirdPartyPackage(font.name, font.version, "OFL-1.1", font.licence),
    ]
    (target / "licenses.txt").write_text(
        _licenses(source, shipped, whole=runtime == PLAIN), encoding="utf-8"
    )
    template = (source / "index.html").read_text(encoding="utf-8")
    style = _style(source, font)
    first = (source / "static" / FIRST).read_text(encoding="utf-8")
    text = fill_template(template).replace(
        "<!--build:head-->", _head(target, first, policy(first, style))
    )
    text = text.replace("<!--build:style-->", f"<style>{style}</style>")
    text = text.replace("<!--build:end-->", _end())
    names = (f"{one.name} {one.version} ({one.licence})" for one in shipped)
    text = text.replace("<!--build:licences-->", html.escape(", ".join(names)))
    worker = (source / "static" / WORKER).read_text(encoding="utf-8")
    build_id = _build_id(target, text + worker)
    text = text.replace("<html ", f'<html data-build="{build_id}" ', 1)
    if runtime == PLAIN:
        text = OFFER.sub("", text)
    (target / "index.html").write_text(text, encoding="utf-8")
    (target / WORKER).write_text(_worker(target, worker, build_id), encoding="utf-8")
    make_wheel(source, target)
    if runtime == FAST:
        script = (source / "static" / SCRIPT).read_text(encoding="utf-8")
        one = single_file(target, text, script, f"pyodide/{WASM}", _build_info(source, build_id))
        (target / NAME).write_text(one, encoding="utf-8")


def _build_info(source: Path, build_id: str) -> str:
    """What a copy says of itself, as it never becomes newer."""
    asked = ["git", "-c", "safe.directory=*", "-C", str(source), "log", "-1", "--format=%cs"]
    try:
        date = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        date = ""
    of = f" of {date}" if date else ""
    return (
        f"This is the whole page in one file, version {__version__}{of}, build {build_id}. "
        "A copy of it stays as it is: for a newer version, download it again."
    )


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


def _pyscript(package: Path, folder: Path) -> None:
    folder.mkdir()
    # the error plugin is fetched even to be turned off; all that it and the core import is taken
    for path in (package / "dist").glob("*.js"):
        # the maps are for debuggers, and are not shipped
        text = path.read_text(encoding="utf-8")
        (folder / path.name).write_text(text.partition("\n//# sourceMappingURL")[0] + "\n", "utf-8")


def _head(target: Path, first: str, rules: str) -> str:
    config = {"interpreter": f"./static/{START}", **PLUGINS_OFF}
    names = {path.relative_to(target).as_posix(): path for path in _files(target)}
    modules = (
        f"static/{START}",
        *(
            name
            for name, path in names.items()
            if path.parent.name in {"pyodide", "pyscript"} and path.suffix in {".js", ".mjs"}
        ),
    )
    wasm = names[f"pyodide/{WASM}"].stat().st_size
    # `modulepreload` would compile them, too, before the first paint
    preload = '<link rel="preload" as="script" crossorigin="anonymous" fetchpriority="low"'
    # what a plain runtime asks for beside WebAssembly
    fetched = " ".join(name for name, path in names.items() if path.suffix in {".json", ".zip"})
    return "\n".join(
        [
            f'<meta http-equiv="Content-Security-Policy" content="{rules}">',
            f"<script>{first}</script>",
            f'<link rel="icon" href="{_icon(target)}">',
            *(f'{preload} href="{name}">' for name in modules),
            '<script type="module" src="static/views.mjs"></script>',
            f'<script type="module" src="static/boot.mjs" data-wasm="{wasm}"'
            f' data-fetched="{fetched}"></script>',
            '<script type="module" src="static/seal.mjs"></script>',
            f'<script type="py" config="{html.escape(json.dumps(config))}">'
            "from app import main</script>",
        ]
    )


def _style(source: Path, font: Font) -> str:
    # Firefox asks for a font again to print, when the page is sealed and may ask for no file
    style = (source / "static" / STYLE).read_text(encoding="utf-8")
    data = b64encode(font.content).decode()
    return style.replace(FONT, f'url("data:font/woff2;base64,{data}")')


def _icon(target: Path) -> str:
    # in the page itself, as browsers ask for it again and again, and a sealed page may not
    svg = (target / "static" / "icon.svg").read_text(encoding="utf-8")
    return f"data:image/svg+xml,{quote(svg)}"


def _end() -> str:
    # PyScript looks for MicroPython's plugins as well, though nothing here runs in it
    return f'<mpy-config type="json" hidden>{html.escape(json.dumps(PLUGINS_OFF))}</mpy-config>'


def _shipped(packages: Path) -> list[ThirdPartyPackage]:
    """What of others is in the build, from the packages themselves."""
    found = []
    for name, folder in (("PyScript", "@pyscript/core"), ("Pyodide", "pyodide")):
        facts = json.loads((packages / folder / "package.json").read_text(encoding="utf-8"))
        file = packages / folder / "LICENSE"
        text = file.read_text(encoding="utf-8") if file.exists() else facts["license"]
        licence, where = facts["license"].replace("APACHE", "Apache"), facts.get("homepage", "")
        found.append(ThirdPartyPackage(name, facts["version"], licence, f"{text}\n{where}"))
    lock = json.loads((packages / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
    python = "Copyright © Python Software Foundation. Python's licence is Python's own, PSF-2.0:\n"
    where = "https://docs.python.org/3/license.html"
    found.append(ThirdPartyPackage("Python", lock["info"]["python"], "PSF-2.0", python + where))
    return found


def _licenses(source: Path, shipped: list[ThirdPartyPackage], *, whole: bool) -> str:
    own = (source / "LICENSE").read_text(encoding="utf-8")
    parts = [("This project", own), *((f"{one.name} {one.version}", one.text) for one in shipped)]
    texts = (f"{name}\n{'=' * len(name)}\n\n{text.strip()}" for name, text in parts)
    return "\n\n".join([*([] if whole else [SHORTENED]), *texts]) + "\n"


def _worker(target: Path, template: str, build_id: str) -> str:
    # "./" and not index.html, which some hosts redirect
    names = {path.relative_to(target).as_posix(): path for path in _files(target)}
    del names[".nojekyll"]
    digests = {
        "./" if name == "index.html" else name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in names.items()
    }
    filled = (
        ("@build@", build_id),
        ('{ "@file@": "@digest@" }', json.dumps(digests, indent=2)),
        ('{ "@header@": "@value@" }', json.dumps(ONLY_BY_HEADER, indent=2)),
    )
    for mark, text in filled:
        template = template.replace(mark, text)
    return template


def _build_id(target: Path, text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for path in _files(target):
        digest.update(path.relative_to(target).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _files(target: Path) -> list[Path]:
    return sorted(path for path in target.rglob("*") if path.is_file())
