"""The page in one file, which a browser opens from disk: no server, no network, nothing beside it.

A browser loads no modules from disk, so each becomes an async function in one script, and what it
imports is asked of `loadFromFile` in static/one-file.mjs. WebAssembly is packed by gzip and written
in base64. The policy allows that script, by its digest, and nothing else, from the first byte on.
"""

import gzip
import html
import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final

from app.build.csp import closed_policy
from app.build.unrecognised import UnrecognisedError

NAME: Final = "bleu-calculator.html"
SCRIPT: Final = "one-file.mjs"
STARTED: Final = ("static/views.mjs", "static/boot.mjs", "static/seal.mjs")
"""The modules that the page starts, in this order; they import the others."""
PART: Final = 65_536
"""Characters of one part of WebAssembly; WebKit takes seconds to parse one part of megabytes."""

_IMPORT = re.compile(r"""^import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["'];?""", re.MULTILINE)
_AGAIN = re.compile(r"""^export\s*\{([^}]*)\}\s*from\s*["']([^"']+)["'];?""", re.MULTILINE)
_LIST = re.compile(r"\bexport\s*\{([^}]*)\};?\s*$", re.MULTILINE)
_DEFAULT = re.compile(r"\bexport default (\w+);\s*$")
_CONST = re.compile(r"^export const (\w+) =", re.MULTILINE)
_LITERAL = re.compile(r"""(?<![\w.$])import\(\s*(["'])(\.{1,2}/[^"'\\]+)\1\s*\)""")
_DYNAMIC = re.compile(r"(?<![\w.$])import\(")
_META = re.compile(r"\bimport\.meta\b")


def single_file(folder: Path, page: str, script: str, wasm: str, about: str) -> str:
    """The text of the file: `page`, index.html of a build in `folder`, with all of it inside.

    `script` is static/one-file.mjs, `wasm` the name of WebAssembly's file, and `about` is said in
    the place of the paragraph that offers this file.

    Raises UnrecognisedError where a module or the page has something that cannot be put into one
    file.
    """
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*js"))
    names = [name for name in names if name != "service-worker.js"]
    functions = [as_function(name, (folder / name).read_text("utf-8")) for name in names]
    starts = [f'loadFromFile("{name}");' for name in STARTED]
    code = "\n".join([*functions, *starts])
    script = script.replace("@wasm@", wasm).replace('"@modules@";', code)
    for found in re.finditer(r"</script|<!--", script, re.IGNORECASE):
        raise UnrecognisedError(f"a module has {found[0]}, which would end the script")
    size = (folder / wasm).stat().st_size
    packed = b64encode(gzip.compress((folder / wasm).read_bytes(), 6, mtime=0)).decode()
    parts = (packed[start : start + PART] for start in range(0, len(packed), PART))
    inert = "\n".join(f'<script type="application/gzip">{part}</script>' for part in parts)
    end = f'{inert}\n<script type="module" data-wasm="{size}" data-fetched="">{script}</script>'
    licences = html.escape((folder / "licenses.txt").read_text("utf-8"))
    page = _without_files(page)
    page = _replace_once(r' href="licenses.txt"', ' href="#licence-texts"', page)
    page = _replace_once(r'<p id="documentation".*?</p>\n', "", page)
    page = _replace_once(
        r'<p id="one-file".*?</p>', f'<p id="one-file">{html.escape(about)}</p>', page
    )
    texts = (
        f'<details id="licence-texts"><summary>Licences</summary><pre>{licences}</pre></details>'
    )
    page = _replace_once(
        r'(?<=<p id="licences">).*?</p>', lambda found: f"{found[0]}\n{texts}", page
    )
    page = _replace_once("<html ", "<html data-one-file ", page)
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    rules = closed_policy(script, styles)
    page = _replace_once(r'(?<=http-equiv="Content-Security-Policy" content=")[^"]*', rules, page)
    page = _replace_once("</body>", f"{end}\n</body>", page)
    _check(page)
    return page


def as_function(name: str, text: str) -> str:
    """A module as an async function that `defineModule` knows by its name; it returns the exports.

    >>> print(as_function("a/b.mjs", 'import { c as d } from "../e.mjs";\\nexport const f = d;'))
    defineModule("a/b.mjs", async (moduleMeta) => {
    const { c: d } = await loadFromFile("e.mjs");
    const f = d;
    return { get f() { return f; } };
    });

    Raises UnrecognisedError where an import or export of another form is left, and where the module
    has one of the names that are used here.
    """
    for taken in re.finditer(r"\b(?:defineModule|loadFromFile|moduleMeta)\b", text):
        raise UnrecognisedError(f"{name} has a {taken[0]} of its own")
    exports: dict[str, str] = {}

    def listed(found: re.Match[str]) -> str:
        exports.update((new or old, old) for old, new in _parse_names(found[1]))
        return ""

    def again(found: re.Match[str]) -> str:
        exports.update((new or old, f"reexported.{old}") for old, new in _parse_names(found[1]))
        return f'const reexported = await loadFromFile("{_resolve(name, found[2])}");'

    def default(found: re.Match[str]) -> str:
        exports["default"] = found[1]
        return ""

    def const(found: re.Match[str]) -> str:
        exports[found[1]] = found[1]
        return f"const {found[1]} ="

    def imported(found: re.Match[str]) -> str:
        wanted = ", ".join(f"{old}: {new}" if new else old for old, new in _parse_names(found[1]))
        return f'const {{ {wanted} }} = await loadFromFile("{_resolve(name, found[2])}");'

    text = _IMPORT.sub(imported, text)
    text = _AGAIN.sub(again, text)
    text = _LIST.sub(listed, text)
    text = _DEFAULT.sub(default, text)
    text = _CONST.sub(const, text)
    text = _LITERAL.sub(lambda found: f'loadFromFile("{_resolve(name, found[2])}")', text)
    text = _META.sub("moduleMeta", _DYNAMIC.sub("loadFromFile(", text))
    for left in re.finditer(r"^(?:import|export)\b.*", text, re.MULTILINE):
        raise UnrecognisedError(f"{name} has {left[0][:60]!r}, which cannot be put into one file")
    given = ", ".join(f"get {new}() {{ return {old}; }}" for new, old in exports.items())
    end = f"return {{ {given} }};\n" if given else ""
    return f'defineModule("{name}", async (moduleMeta) => {{\n{text.strip()}\n{end}}});'


def _parse_names(names: str) -> list[tuple[str, str]]:
    """What is exchanged, each by its name here and there: `a as b, c` is (a, b), (c, "")."""
    pairs = (one.strip().partition(" as ") for one in names.split(",") if one.strip())
    return [(old.strip(), new.strip()) for old, _, new in pairs]


def _resolve(name: str, address: str) -> str:
    return normpath(str(PurePosixPath(name).parent / address))


def _without_files(page: str) -> str:
    for pattern in (
        r'<link rel="preload"[^>]*>\n?',
        r'<link rel="manifest"[^>]*>\n?',
        r"<script>.*?</script>\n?",
        r"<script type=\"module\" src=[^>]*></script>\n?",
    ):
        page, count = re.subn(pattern, "", page, flags=re.DOTALL)
        if not count:
            raise UnrecognisedError(f"index.html has nothing like {pattern}")
    return page


def _replace_once(pattern: str, new: str | Callable[[re.Match[str]], str], page: str) -> str:
    """The page with `new`, a text or what makes one of the match, where `pattern` first fits."""
    found = re.search(pattern, page, re.DOTALL)
    if not found:
        raise UnrecognisedError(f"index.html has nothing like {pattern}")
    text = new if isinstance(new, str) else new(found)
    return f"{page[: found.start()]}{text}{page[found.end() :]}"


def _check(page: str) -> None:
    """Raise UnrecognisedError where an element would ask for something from beside the file."""
    for found in re.finditer(
        r'<(?!a\b)\w+[^>]*\s(?:href|src|srcset|data|poster)="(?!data:|#)[^"]*"', page
    ):
        raise UnrecognisedError(f"{found[0][:80]} stands in what is to be one file")
    for found in re.finditer(r'<a\b[^>]*\shref="(?!#|https://)[^"]*"', page):
        raise UnrecognisedError(f"{found[0][:80]} stands in what is to be one file")
