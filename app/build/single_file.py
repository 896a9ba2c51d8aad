"""The page in one file, which a browser opens from disk without a server or network.

Browsers load no modules from disk, so each module becomes an async function in one script, and its
imports become calls of `loadFromFile` (static/one-file.mjs). WebAssembly is embedded as gzip in
base64. The policy allows only this script and these styles, by digest.
"""

import gzip
import html
import re
from base64 import b64encode
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final

from app.build import UnrecognisedError
from app.build.serve import single_file_policy

SINGLE_FILE: Final = "bleu-calculator.html"
SINGLE_FILE_SCRIPT: Final = "one-file.mjs"
ENTRY_MODULES: Final = tuple(f"static/{name}.mjs" for name in ("views", "lanes", "boot", "seal"))
"""The modules that the page starts, in this order; they import the others."""
BASE: Final = "https://one-file.invalid/"
"""The address that the names of modules are relative to; nothing is ever requested from it."""
PART_CHARACTERS: Final = 65_536
"""Characters of WebAssembly per element; WebKit takes seconds to parse an element of megabytes."""

_IMPORT = re.compile(r"""^import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["'];?""", re.MULTILINE)
_REEXPORT = re.compile(r"""^export\s*\{([^}]*)\}\s*from\s*["']([^"']+)["'];?""", re.MULTILINE)
_EXPORT_LIST = re.compile(r"\bexport\s*\{([^}]*)\};?\s*$", re.MULTILINE)
_EXPORT_DEFAULT = re.compile(r"\bexport default (\w+);\s*$")
_IMPORT_LITERAL = re.compile(r"""(?<![\w.$])import\(\s*(["'])(\.{1,2}/[^"'\\]+)\1\s*\)""")
_IMPORT_CALL = re.compile(r"(?<![\w.$])import\(")
_IMPORT_META = re.compile(r"\bimport\.meta\b")
_ADDRESS = re.compile(r"\blocation\.href\b")


def single_file(folder: Path, page: str, script: str, wasm_path: str, build_info: str) -> str:
    """Return the HTML of the page in one file.

    `page` and `script` are the texts of index.html and static/one-file.mjs; `wasm_path` is the path
    of WebAssembly below `folder`; `build_info` replaces the paragraph that offers this file.

    Raises UnrecognisedError if a module or the page cannot be put into one file.
    """
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*js"))
    names = [name for name in names if name != "service-worker.js"]
    functions = [as_function(name, (folder / name).read_text("utf-8")) for name in names]
    starts = [f'loadFromFile("{name}");' for name in ENTRY_MODULES]
    code = "\n".join([*functions, *starts])
    script = (
        script.replace("@base@", BASE).replace("@wasm@", wasm_path).replace('"@modules@";', code)
    )
    if match := re.search(r"</script|<!--", script, re.IGNORECASE):
        raise UnrecognisedError(f"a module has {match[0]}, which would end the script")
    content = (folder / wasm_path).read_bytes()
    packed = b64encode(gzip.compress(content, 6, mtime=0)).decode()
    wasm_parts = "\n".join(
        f'<script type="application/gzip">{packed[start : start + PART_CHARACTERS]}</script>'
        for start in range(0, len(packed), PART_CHARACTERS)
    )
    main = f'<script type="module" data-wasm="{len(content)}">{script}</script>'
    licenses = html.escape((folder / "licenses.txt").read_text("utf-8"))
    details = (
        f'<details id="license-texts"><summary>Licences</summary><pre>{licenses}</pre></details>'
    )
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    first_scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    policy = single_file_policy([*first_scripts, script], styles)
    for pattern, new in (
        (r'<link rel="preload"[^>]*>\n?', ""),
        (r'<link rel="manifest"[^>]*>\n?', ""),
        (r'<script type="module" src=[^>]*></script>\n?', ""),
        (r"&quot;\./static/", f"&quot;{BASE}static/"),
        (r' href="licenses.txt"', ' href="#license-texts"'),
        (r'<p id="documentation".*?</p>\n', f"{details}\n"),
        (r' <a id="guide".*?</a>', ""),
        (r'<p id="one-file".*?</p>', f'<p id="one-file">{html.escape(build_info)}</p>'),
        ("<html ", "<html data-one-file "),
        (r'(?<=http-equiv="Content-Security-Policy" content=")[^"]*', policy),
        ("</body>", f"{wasm_parts}\n{main}\n</body>"),
    ):
        parts = re.split(pattern, page, flags=re.DOTALL)
        if len(parts) == 1:
            raise UnrecognisedError(f"index.html has no match for {pattern}")
        page = new.join(parts)
    # Scripts hold no markup, and browsers do not fetch the address of a canonical link.
    markup = re.sub(r'<script>.*?</script>|<link rel="canonical"[^>]*>', "", page, flags=re.DOTALL)
    for pattern in (
        r'<(?!a\b)\w+[^>]*\s(?:href|src|srcset|data|poster)="(?!data:|#)[^"]*"',
        r'<a\b[^>]*\shref="(?!#|https://)[^"]*"',
    ):
        if match := re.search(pattern, markup):
            raise UnrecognisedError(f"{match[0][:80]} refers to another file")
    return page


def as_function(name: str, text: str) -> str:
    """Return a call of `defineModule` with an async function that returns a module's exports.

    >>> print(as_function("a/b.mjs", 'import { c as d } from "../e.mjs";\\nexport { d as f };'))
    defineModule("a/b.mjs", async (moduleMeta) => {
    const { c: d } = await loadFromFile("e.mjs");
    return { get f() { return d; } };
    });

    Raises UnrecognisedError if the module has another form of import or export, or itself uses a
    name that this conversion adds.
    """
    if match := re.search(r"\b(?:defineModule|loadFromFile|moduleMeta)\b", text):
        raise UnrecognisedError(f"{name} uses {match[0]}, a name reserved for the single-file page")
    exports: dict[str, str] = {}

    def export_list(match: re.Match[str]) -> str:
        exports.update((new or old, old) for old, new in _parse_names(match[1]))
        return ""

    def reexport(match: re.Match[str]) -> str:
        exports.update((new or old, f"reexported.{old}") for old, new in _parse_names(match[1]))
        return f'const reexported = await loadFromFile("{_resolve(name, match[2])}");'

    def static_import(match: re.Match[str]) -> str:
        names = ", ".join(f"{old}: {new}" if new else old for old, new in _parse_names(match[1]))
        return f'const {{ {names} }} = await loadFromFile("{_resolve(name, match[2])}");'

    text = _IMPORT.sub(static_import, text)
    text = _REEXPORT.sub(reexport, text)
    text = _EXPORT_DEFAULT.sub(r"export { \1 as default };", text)
    text = _EXPORT_LIST.sub(export_list, text)
    text = _IMPORT_LITERAL.sub(lambda match: f'loadFromFile("{_resolve(name, match[2])}")', text)
    text = _IMPORT_META.sub("moduleMeta", _IMPORT_CALL.sub("loadFromFile(", text))
    if name.startswith("pyscript/"):  # No name is relative to the address of a `srcdoc` frame.
        text = _ADDRESS.sub("moduleMeta.url", text)
    if match := re.search(r"^(?:import|export)\b.*", text, re.MULTILINE):
        raise UnrecognisedError(f"{name} has {match[0][:60]!r}, which cannot be put into one file")
    getters = ", ".join(f"get {new}() {{ return {old}; }}" for new, old in exports.items())
    end = f"return {{ {getters} }};\n" if getters else ""
    return f'defineModule("{name}", async (moduleMeta) => {{\n{text.strip()}\n{end}}});'


def _parse_names(names: str) -> list[tuple[str, str]]:
    """Return each imported or exported name with its alias: `a as b, c` is (a, b), (c, "")."""
    pairs = (item.strip().partition(" as ") for item in names.split(",") if item.strip())
    return [(old.strip(), new.strip()) for old, _, new in pairs]


def _resolve(name: str, address: str) -> str:
    return normpath(str(PurePosixPath(name).parent / address))
