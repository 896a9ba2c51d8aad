"""Assembly of the build: writes the runtime, the page and its files to a static folder."""

import gzip
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Mapping
from html import escape, unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import quote, urljoin, urlsplit

from app.build import ThirdPartyPackage
from app.build.docs import FOLDER, docs_pages
from app.build.encoder import copy_encoder
from app.build.font import subset_font
from app.build.questions import FOLDER as QUESTION_FOLDER
from app.build.questions import question_pages
from app.build.runtime import START, WASM, copy_listed_files, make_runtime
from app.build.serve import ONLY_BY_HEADER, frame_ancestors, policy
from app.build.single_file import SINGLE_FILE, SINGLE_FILE_SCRIPT, single_file
from app.components import WHEEL
from app.template import fill_template
from bleu.version import __version__

SOURCE_DATE_EPOCH = "315532800"
"""The date of every file in the wheel: 1980, the earliest in a zip, for reproducible builds."""
PLUGINS = (
    *("codemirror", "deprecations-manager", "donkey", "error"),
    *("py-editor", "py-game", "py-terminal"),
)
"""PyScript's plugins, all disabled: the page shows its own errors and has no editor."""
PLUGINS_OFF = [f"!{name}" for name in PLUGINS]
WORKER = "service-worker.js"
"""The service worker, beside index.html, because it controls only its own folder and below."""
STYLE_FOLDER = "style"
STYLES = (
    *("base", "components", "score", "prose", "steps", "files"),
    *("presentation", "tools", "print", "learn", "lecture"),
)
"""The style sheets, in the order of their rules."""
FIRST_SCRIPT = "first.js"
"""The script that is inlined in the page, and reports files that fail to load."""
FONT_PLACEHOLDER = 'url("math.woff2")'
"""The placeholder in the style sheet for the font of the formulas, which is inlined, too."""
NOT_COPIED = (WORKER, STYLE_FOLDER, FIRST_SCRIPT, SINGLE_FILE_SCRIPT, "pictures")
"""The files of `static` that are not copied unchanged; the pictures belong to the README."""
SHORTENED_NOTICE = (
    "Pyodide and Python are not complete here: app/build/README.md of this project says what the"
    " build leaves out or replaces."
)
"""The notice before the licenses."""
PICTURE: Final = "static/pictures/page.png"
"""The picture of a preview, which a build contains only if it knows its own address."""


def make_wheel(source: Path, target: Path) -> None:
    """Build the wheel of the library in `source` and write it to the folder `target`.

    Raises RuntimeError with the last line of flit's output if flit fails or makes no `WHEEL`.
    """
    command = [sys.executable, "-m", "flit_core.wheel", "--outdir", str(target), str(source)]
    environment = os.environ | {"PYTHONPATH": str(source), "SOURCE_DATE_EPOCH": SOURCE_DATE_EPOCH}
    process = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if process.returncode or not (target / WHEEL).is_file():
        *_, last_line = ["", *process.stdout.splitlines(), *process.stderr.splitlines()]
        raise RuntimeError(f"flit made no {WHEEL}: {last_line}")


def page_style(static: Path) -> str:
    """Return the style sheets as one, inlined in the page: the first paint waits for no file."""
    return "".join((static / STYLE_FOLDER / f"{name}.css").read_text("utf-8") for name in STYLES)


def build(source: Path, target: Path) -> None:
    """Build the page from the sources and node_modules in `source`, and replace `target` by it.

    `target` is replaced only when everything is built; after an error it stays unchanged.

    Raises FileNotFoundError if the packages are not installed, ValueError if a file of them was
    changed, UnrecognisedError if Pyodide or PyScript is not as expected, and RuntimeError if
    Node.js, pdoc or flit fails, with its output.
    """
    for variable in ("SITE_URL", "SOURCE_URL"):
        address_from(os.environ, variable)
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as folder:
        copy_listed_files(source, Path(folder))
        packages, output = Path(folder, "node_modules"), Path(folder, "output")
        _write_build(source, packages, output)
        if target.exists():
            target.rename(Path(folder, "replaced"))
        output.rename(target)


def _write_build(source: Path, packages: Path, target: Path) -> None:
    static = source / "static"
    shutil.copytree(static, target / "static", ignore=shutil.ignore_patterns(*NOT_COPIED))
    _copy_pyscript(packages / "@pyscript" / "core", target / "pyscript")
    encoder, font = copy_encoder(packages), subset_font()
    make_runtime(source, packages, target)
    (target / ".nojekyll").touch()
    text = (source / "index.html").read_text("utf-8")
    site_url = address_from(os.environ, "SITE_URL")
    for folder, pages in (
        (FOLDER, docs_pages()),
        (QUESTION_FOLDER, question_pages(text, site_url)),
    ):
        (target / folder).mkdir()
        for name, page in pages.items():
            (target / folder / name).write_text(page, "utf-8")
    shipped = [*_third_party_packages(packages), encoder, font]
    (target / "licenses.txt").write_text(_licenses(source, shipped), "utf-8")
    style, first_script = page_style(static), (static / FIRST_SCRIPT).read_text("utf-8")
    # inlined, because Firefox fetches a font again for printing, which a sealed page cannot do
    font_data = b64encode(font.content).decode()
    style = style.replace(FONT_PLACEHOLDER, f'url("data:font/woff2;base64,{font_data}")')
    names = (f"{package.name} {package.version} ({package.license})" for package in shipped)
    plugins = json.dumps({"plugins": PLUGINS_OFF})
    text = fill_template(text)
    for mark, content in (
        ("preview", preview_tags(text, site_url)),
        ("source", source_link(address_from(os.environ, "SOURCE_URL"))),
        ("head", _head(target, first_script, policy(first_script, style))),
        ("style", f"<style>{style}</style>"),
        # PyScript also loads MicroPython's plugins, although the page does not use MicroPython
        (
            "end",
            f'<mpy-config type="json" translate="no" hidden>{html.escape(plugins)}</mpy-config>',
        ),
        ("licenses", html.escape(", ".join(names))),
    ):
        text = text.replace(f"<!--build:{mark}-->", content)
    worker = (static / WORKER).read_text("utf-8")
    build_id = _build_id(target, text + worker)
    text = text.replace("<html ", f'<html data-build="{build_id}" ', 1)
    (target / "index.html").write_text(text, "utf-8")
    (target / WORKER).write_text(_worker(target, worker, build_id), "utf-8")
    make_wheel(source, target)
    if site_url:  # The worker keeps no copy of the picture, which the page does not show.
        (target / PICTURE).parent.mkdir()
        shutil.copy(source / PICTURE, target / PICTURE)
    script = (static / SINGLE_FILE_SCRIPT).read_text("utf-8")
    page = single_file(target, text, script, f"pyodide/{WASM}", _build_info(source, build_id))
    (target / SINGLE_FILE).write_text(page, "utf-8")


def _build_info(source: Path, build_id: str) -> str:
    """Return the paragraph of the single-file page about its version, date and build."""
    command = ["git", "-c", "safe.directory=*", "-C", str(source), "log", "-1", "--format=%cs"]
    try:
        date = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        date = ""
    of_date = f" of {date}" if date else ""
    return (
        f"This is the whole page in one file, version {__version__}{of_date}, build {build_id}. "
        "A copy of it stays as it is: for a newer version, download it again."
    )


def sizes(target: Path) -> list[tuple[str, int, int]]:
    """Return the path of every file of a build, its size and its gzipped size in bytes."""
    return [
        (name, path.stat().st_size, len(gzip.compress(path.read_bytes(), 6, mtime=0)))
        for name, path in _files_by_name(target).items()
    ]


def _copy_pyscript(package: Path, folder: Path) -> None:
    folder.mkdir()
    # all scripts, because PyScript fetches its error plugin even if that is disabled
    for path in (package / "dist").glob("*.js"):
        code, _, _ = path.read_text("utf-8").partition("\n//# sourceMappingURL")
        (folder / path.name).write_text(f"{code}\n", "utf-8")


def _head(target: Path, first_script: str, csp: str) -> str:
    config = html.escape(json.dumps({"interpreter": f"./static/{START}", "plugins": PLUGINS_OFF}))
    files = _files_by_name(target)
    modules = [
        name
        for name, path in files.items()
        if path.parent.name in {"pyodide", "pyscript"} and path.suffix in {".js", ".mjs"}
    ]
    # inlined, because browsers fetch the icon repeatedly, which a sealed page cannot do
    icon = quote(files["static/icon.svg"].read_text("utf-8"))
    wasm_size = files[f"pyodide/{WASM}"].stat().st_size
    # not `modulepreload`, which would also compile the modules before the first paint
    preload = '<link rel="preload" as="script" crossorigin="anonymous" fetchpriority="low"'
    return "\n".join(
        [
            f'<meta http-equiv="Content-Security-Policy" content="{csp}">',
            f"<script>{first_script}</script>",
            f'<link rel="icon" href="data:image/svg+xml,{icon}">',
            *(f'{preload} href="{name}">' for name in (f"static/{START}", *modules)),
            '<script type="module" src="static/views.mjs"></script>',
            '<script type="module" src="static/lanes.mjs"></script>',
            f'<script type="module" src="static/boot.mjs" data-wasm="{wasm_size}"></script>',
            '<script type="module" src="static/seal.mjs"></script>',
            f'<script type="py" config="{config}">from app import main</script>',
        ]
    )


def _third_party_packages(packages: Path) -> list[ThirdPartyPackage]:
    """Return PyScript, Pyodide and Python, as the npm packages describe them."""
    shipped = []
    for name, folder in (("PyScript", "@pyscript/core"), ("Pyodide", "pyodide")):
        metadata = json.loads((packages / folder / "package.json").read_text("utf-8"))
        file = packages / folder / "LICENSE"
        text = file.read_text("utf-8") if file.exists() else metadata["license"]
        license = metadata["license"].replace("APACHE", "Apache")
        text = f"{text}\n{metadata.get('homepage', '')}"
        shipped.append(ThirdPartyPackage(name, metadata["version"], license, text))
    lock = json.loads((packages / "pyodide" / "pyodide-lock.json").read_text("utf-8"))
    text = (
        "Copyright © Python Software Foundation. Python's licence is Python's own, PSF-2.0:\n"
        "https://docs.python.org/3/license.html"
    )
    shipped.append(ThirdPartyPackage("Python", lock["info"]["python"], "PSF-2.0", text))
    return shipped


def _licenses(source: Path, shipped: list[ThirdPartyPackage]) -> str:
    sections = {"This project": (source / "LICENSE").read_text("utf-8")}
    sections |= {f"{package.name} {package.version}": package.text for package in shipped}
    texts = [f"{title}\n{'=' * len(title)}\n\n{text.strip()}" for title, text in sections.items()]
    return "\n\n".join([SHORTENED_NOTICE, *texts]) + "\n"


def _worker(target: Path, template: str, build_id: str) -> str:
    # "./" instead of index.html, because some hosts redirect the latter to the former
    digests = {
        "./" if name == "index.html" else name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in _files_by_name(target).items()
        if name != ".nojekyll"
    }
    headers = dict(ONLY_BY_HEADER)
    if ancestors := frame_ancestors(os.environ):
        headers["Content-Security-Policy"] += f"; frame-ancestors {ancestors}"
    for mark, text in (
        ("@build@", build_id),
        ('{ "@file@": "@digest@" }', json.dumps(digests, indent=2)),
        ('{ "@header@": "@value@" }', json.dumps(headers, indent=2)),
    ):
        template = template.replace(mark, text)
    return template


def _build_id(target: Path, text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for name, path in _files_by_name(target).items():
        digest.update(name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _files_by_name(target: Path) -> dict[str, Path]:
    paths = sorted(path for path in target.rglob("*") if path.is_file())
    return {path.relative_to(target).as_posix(): path for path in paths}


def preview_tags(page: str, site_url: str) -> str:
    """Return the tags of a link preview: title, description, address and picture.

    `page` is the HTML that has the title and the description; without an address, return "".

    >>> head = '<title>BLEU</title><meta name="description" content="Steps">'
    >>> print(preview_tags(head, "https://example.org/bleu"))
    <link rel="canonical" href="https://example.org/bleu/">
    <meta property="og:type" content="website">
    <meta property="og:url" content="https://example.org/bleu/">
    <meta property="og:title" content="BLEU">
    <meta property="og:description" content="Steps">
    <meta property="og:image" content="https://example.org/bleu/static/pictures/page.png">
    <meta name="twitter:card" content="summary_large_image">
    """
    if not site_url:
        return ""
    address = f"{site_url.rstrip('/')}/"
    patterns = {
        "title": "<title>(.*?)</title>",
        "description": 'name="description" content="(.*?)"',
    }
    texts = {name: re.findall(pattern, page)[0] for name, pattern in patterns.items()}
    properties = {
        "type": "website",
        "url": address,
        **{name: unescape(text) for name, text in texts.items()},
        "image": urljoin(address, PICTURE),
    }
    return "\n".join(
        [
            f'<link rel="canonical" href="{escape(address)}">',
            *(
                f'<meta property="og:{name}" content="{escape(value)}">'
                for name, value in properties.items()
            ),
            '<meta name="twitter:card" content="summary_large_image">',
        ]
    )


def source_link(source_url: str) -> str:
    """Return a link to the source code of the page, or "" without its address.

    >>> source_link("https://example.org/code")
    ' · <a href="https://example.org/code" rel="noreferrer">Source code</a>'
    """
    if not source_url:
        return ""
    return f' · <a href="{escape(source_url)}" rel="noreferrer">Source code</a>'


def address_from(environment: Mapping[str, str], name: str) -> str:
    """Return the address in a variable of the environment, or "" if it is unset.

    Raises ValueError if it is no address of the web.

    >>> address_from({"SITE_URL": "example.org"}, "SITE_URL")
    Traceback (most recent call last):
        ...
    ValueError: SITE_URL is 'example.org'; give an address that begins with https:// or http://
    """
    address = environment.get(name, "").strip()
    if address and not (
        urlsplit(address).scheme in {"http", "https"} and urlsplit(address).hostname
    ):
        raise ValueError(
            f"{name} is {address[:100]!r}; give an address that begins with https:// or http://"
        )
    return address
