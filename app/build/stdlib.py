"""The standard library that the page needs, with the library and the page, compiled in one file.

It runs inside the Pyodide that is shipped, so that the compiled code has the right format. What
the page needs is not listed but found: everything is imported, and what that loaded is kept. All of
it is packed as one, for `app/build/finder.py` to find, but the few modules that Python imports
before.
"""

import ast
import importlib
import importlib.util
import marshal
import os
import sys
from types import CodeType

from app.build.finder import Modules
from app.build.unrecognised import UnrecognisedError

HOST_ONLY = (
    *("app.__main__", "app.build", "app.template", "bleu.__main__", "bleu.cli", "bleu.notebook"),
    *("bleu.analysis.api", "bleu.corpus.derivation"),
)
"""Rooms and modules that are not shipped."""

BROWSER_ONLY = ("app.browser", "app.main")
"""The package and the module that are shipped, but that only a browser can import."""

LAZY_MODULES = (
    *("app.learn", "bleu.learn", "bleu.explanation.masking", "bleu.explanation.exercises"),
    *("bleu.analysis.preprocessing", "bleu.analysis.reported", "bleu.analysis.segment_counts"),
    *("bleu.analysis.which", "bleu.analysis.which_search", "bleu.analysis.which_tools"),
    *(
        "bleu.analysis.which_code",
        "bleu.explanation.which",
        "app.tools.which",
        "app.state.view_state",
    ),
)
"""Rooms and modules of the view Learn, of the boxes that ask which BLEU a number is, and of links
that show one thing alone. They are imported when they are first asked for: they are shipped as
code alone, and add nothing to the memory that every start brings."""

BESIDE = (
    *("asyncio", "base64", "html", "inspect", "io", "json", "pathlib", "re", "traceback"),
    *("urllib.parse", "_pyodide", "_pyodide._base", "_pyodide._core_docs"),
    *("_pyodide._importhook", "pyodide", "pyodide.code", "pyodide.ffi", "pyodide.webloop"),
    *("encodings.utf_16", "encodings.utf_8_sig"),
)
"""What PyScript's own Python, Pyodide's start, one printed traceback and open files import."""

WHOLE = ("_pyodide/_core_docs.py",)
"""Compiled with docstrings, which Pyodide hands on at its start."""

OURS = ("app/", "bleu/")
"""Compiled with line numbers, for an error of ours to say where it is."""

PYC = importlib.util.MAGIC_NUMBER + b"\x01\x00\x00\x00" + bytes(8)
"""The head of a compiled file that is never checked against its source."""


def trim(library: str, pyscript: str, root: str) -> None:
    """Trim the zip: the modules in use of the standard library, bleu, app's page, and pyscript.

    PyScript's own Python is compiled here, so that it need not be at each start, from the text
    that PyScript brings. The same sources give the same bytes.

    Raises UnrecognisedError where Python does not start in the order that is known, a module of
    Python's or Pyodide's own cannot be imported beside the stubs, or compiled code is of another
    form.
    """
    at_start = list(sys.modules)
    if "site" not in at_start:
        raise UnrecognisedError(
            "Python starts without the module site, before which no zip is read"
        )
    first = at_start[: at_start.index("site") + 1]
    ours = {**_modules(root, "bleu"), **_modules(root, "app")}
    ours = {name: path for name, path in ours.items() if not within(name, *HOST_ONLY)}
    for name in BESIDE:
        try:
            importlib.import_module(name)
        except Exception as error:
            raise UnrecognisedError(
                f"{name} is not imported beside the stubs: {error!r}"
            ) from error
    for name in ours:
        if not needs_browser(name):
            importlib.import_module(name)
    ours |= _modules(pyscript, "pyscript")
    loaded = {
        name.replace(".", "/")
        for name, module in sys.modules.items()
        if module.__spec__ and module.__spec__.origin != "frozen"
    }
    found = _compiled(library, ours, loaded)
    finder = _code(_read(f"{root}/app/build/finder.py"), "sitecustomize.py")
    alone = {"sitecustomize": (False, finder)}
    alone |= {name: found.pop(name) for name in first if name in found}
    _write(library, alone, found)


def within(name: str, *rooms: str) -> bool:
    """Whether a module is one of these, or stands in one of them.

    >>> within("app.build.wasm", "app.build"), within("app.builder", "app.build")
    (True, False)
    """
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def needs_browser(name: str) -> bool:
    """Return whether only a browser can import this module.

    >>> needs_browser("app.main"), needs_browser("app.learn.worksheet_controller")
    (True, True)
    >>> needs_browser("app.learn.worksheet_spec")
    False
    """
    return within(name, *BROWSER_ONLY) or name.endswith((".controller", "_controller"))


def _modules(root: str, package: str) -> dict[str, str]:
    found = {}
    for folder, _, files in os.walk(f"{root}/{package}"):
        for file in files:
            if file.endswith(".py"):
                path = f"{folder}/{file}"
                name = path.removeprefix(f"{root}/").removesuffix(".py").replace("/", ".")
                found[name.removesuffix(".__init__")] = path
    if package not in found:
        raise FileNotFoundError(f"there is no package {package} in {root}")
    return found


def _compiled(library: str, ours: dict[str, str], loaded: set[str]) -> Modules:
    # imported here, so that it does not count as something that the page needs
    from zipfile import ZipFile

    with ZipFile(library) as zipped:
        sources = {
            entry: zipped.read(entry)
            for entry in zipped.namelist()
            if entry.endswith(".py")
            and entry.removesuffix(".py").removesuffix("/__init__") in loaded
        }
    for name, path in ours.items():
        entry = name.replace(".", "/") + ("/__init__.py" if "/__init__" in path else ".py")
        sources[entry] = _read(path)
    found = {}
    for entry, source in sorted(sources.items()):
        place = entry.removesuffix(".py")
        package = place.endswith("/__init__")
        name = place.removesuffix("/__init__").replace("/", ".")
        found[name] = package, _code(source, entry, whole=entry.startswith(WHOLE))
    return found


def _read(path: str) -> bytes:
    with open(path, "rb") as source:
        return source.read()


def _code(source: bytes, name: str, *, whole: bool = False) -> bytes:
    """Compiled code; unless it is to be whole, without what no page asks for.

    That is docstrings, asserts, the annotations of functions, and, but for ours, line numbers.
    """
    tree = ast.parse(source)
    if not whole:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                node.returns = None
            elif isinstance(node, ast.arg):
                node.annotation = None
    code = compile(tree, name, "exec", dont_inherit=True, optimize=0 if whole else 2)
    return marshal.dumps(code if whole or name.startswith(OURS) else _without_lines(code))


def _without_lines(code: CodeType) -> CodeType:
    inner = (_without_lines(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    # a traceback asks for each instruction: it has no line, and eight at most make an entry
    whole, rest = divmod(len(code.co_code) // 2, 8)
    table = b"\xff" * whole + (bytes([0xF7 + rest]) if rest else b"")
    without = code.replace(co_linetable=table, co_consts=tuple(inner))
    if any(line is not None for *_, line in without.co_lines()):
        raise UnrecognisedError(
            f"the table of lines in the code of {code.co_filename} has another form"
        )
    return without


def _write(target: str, alone: Modules, packed: Modules) -> None:
    from zipfile import ZipFile, ZipInfo

    with ZipFile(target, "w") as out:
        for name, (package, code) in alone.items():
            path = name.replace(".", "/") + ("/__init__" if package else "")
            out.writestr(ZipInfo(f"{path}.pyc"), PYC + code)
        # a format that does not depend on what else refers to a name
        out.writestr(ZipInfo("modules"), marshal.dumps(packed, 2))
