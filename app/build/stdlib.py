"""The Python modules that the page needs, compiled and packed into one file.

Runs inside the Pyodide that is shipped, so that the compiled code has the right format. To find
the modules in use, everything is imported; each module that this loads is packed for
app/build/finder.py. The few modules that Python imports before the finder stay separate files.
"""

import ast
import importlib
import importlib.util
import marshal
import sys
from pathlib import Path
from types import CodeType
from zipfile import ZipFile, ZipInfo

from app.build import UnrecognisedError
from app.build.finder import Modules

HOST_ONLY = (
    *("app.__main__", "app.build", "app.template", "bleu.__main__", "bleu.cli", "bleu.notebook"),
    "bleu.analysis.api",
)
"""Packages and modules that are not shipped."""

BROWSER_ONLY = ("app.browser", "app.main")
"""A package and a module that are shipped, but that only a browser can import."""

CODE_PAGES = tuple(
    f"encodings.{name}"
    for name in ("cp437", "cp850", "cp1250", "cp1251", "cp1252", "cp1256", "koi8_r", "mac_roman")
)
"""Code pages: zipfile needs the first, and the check-up tries all of them."""

LAZY_MODULES = (
    *("app.score.qr_code", "segno"),
    *("app.learn", "bleu.learn", "bleu.explanation.masking", "bleu.explanation.exercises"),
    *("bleu.document.quiz", "bleu.render.quiz"),
    *("bleu.analysis.calls", "bleu.analysis.which", "bleu.analysis.which_search"),
    *("bleu.analysis.which_code", "bleu.explanation.which", "app.tools.which"),
    *("bleu.files.json_table", "bleu.files.markup"),
    *("zipfile", "shutil", "random", "statistics", *CODE_PAGES),
    *(f"bleu.core.sentencepiece{part}" for part in ("", "_file")),
)
"""Packages and modules that are imported at first use, to keep the memory snapshot small.

They belong to the code of a link, to the view Learn, to “Which BLEU is this number?”, to tables,
and to SentencePiece models.

`random` would also make each snapshot another one, because its generator starts with a new seed.
"""

EXTRA_IMPORTS = (
    *("asyncio", "base64", "html", "inspect", "io", "json", "pathlib", "re", "traceback"),
    *("urllib.parse", "_pyodide", "_pyodide._base", "_pyodide._core_docs"),
    *("_pyodide._importhook", "pyodide", "pyodide.code", "pyodide.ffi", "pyodide.webloop"),
    *("encodings.utf_16", "encodings.utf_8_sig", *CODE_PAGES),
)
"""Modules that are imported later: by PyScript, Pyodide, tracebacks and the reading of files."""

WITH_DOCSTRINGS = ("_pyodide/_core_docs.py",)
"""Files compiled with docstrings, because Pyodide copies these to other objects at its start."""

WITH_LINE_NUMBERS = ("app/", "bleu/")
"""Folders compiled with line numbers, so that a traceback shows where the project's code failed."""

WITH_SOURCE = ("bleu/metric/method.py", "bleu/metric/smoothings.py", "bleu/metric/rules.py")
"""Files whose text is packed, too, because the page shows functions of them."""

PYC_HEADER = importlib.util.MAGIC_NUMBER + b"\x01\x00\x00\x00" + bytes(8)
"""The header of a compiled file that Python never compares with its source."""


def pack_modules(library: str, pyscript: str, encoder: str, root: str) -> None:
    """Replace a zipped standard library by the compiled modules in use, `bleu` and `app` included.

    `library` is the path of the zip, `root` the folder of sources. PyScript's Python package, in
    the folder `pyscript`, is compiled too, so that the page need not compile the copy in PyScript's
    JavaScript. The folder `encoder` has the encoder of QR codes. The same sources give the same
    bytes.

    Raises UnrecognisedError if Python does not import `site` at its start, if a module of the
    standard library or of Pyodide cannot be imported, or if the line table has another format.
    """
    start_modules = list(sys.modules)
    if "site" not in start_modules:
        raise UnrecognisedError("Python does not import the module site at its start")
    before_finder = start_modules[: start_modules.index("site") + 1]
    sources = {
        file: source
        for file, source in (
            _sources(root, "bleu") | _sources(root, "app") | _sources(encoder, "segno")
        ).items()
        if not is_within(_module_name(file), *HOST_ONLY)
    }
    for name in EXTRA_IMPORTS:
        try:
            importlib.import_module(name)
        except Exception as error:
            raise UnrecognisedError(f"{name} cannot be imported: {error!r}") from error
    for name in map(_module_name, sources):
        if not needs_browser(name):
            importlib.import_module(name)
    sources |= _sources(pyscript, "pyscript")
    imported = {
        name
        for name, module in sys.modules.items()
        if module.__spec__ and module.__spec__.origin != "frozen"
    }
    packed = _compile_modules(library, sources, imported)
    finder = _compile(Path(root, "app/build/finder.py").read_bytes(), "sitecustomize.py")
    separate = {"sitecustomize": (False, finder)}
    separate |= {name: packed.pop(name) for name in before_finder if name in packed}
    shown = {_module_name(file): sources[file].decode() for file in WITH_SOURCE}
    _write(library, separate, packed, shown)


def is_within(name: str, *packages: str) -> bool:
    """Return whether a module is one of `packages` or lies in one of them.

    >>> is_within("app.build.runtime", "app.build"), is_within("app.builder", "app.build")
    (True, False)
    """
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def needs_browser(name: str) -> bool:
    """Return whether only a browser can import this module.

    >>> needs_browser("app.main"), needs_browser("app.learn.worksheet_controller")
    (True, True)
    >>> needs_browser("app.learn.worksheet_spec")
    False
    """
    return is_within(name, *BROWSER_ONLY) or name.endswith((".controller", "_controller"))


def _sources(root: str, package: str) -> dict[str, bytes]:
    """Return the source of every module of a package, by its path below `root`."""
    paths = Path(root, package).rglob("*.py")
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


def _module_name(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _compile_modules(library: str, sources: dict[str, bytes], imported: set[str]) -> Modules:
    """Compile these sources, and those modules of the library that were imported."""
    with ZipFile(library) as archive:
        for file in archive.namelist():
            if file.endswith(".py") and _module_name(file) in imported:
                sources.setdefault(file, archive.read(file))
    return {
        _module_name(file): (file.endswith("/__init__.py"), _compile(source, file))
        for file, source in sorted(sources.items())
    }


def _compile(source: bytes, file: str) -> bytes:
    """Return marshalled code without docstrings, asserts, function annotations and line numbers.

    `WITH_DOCSTRINGS` and `WITH_LINE_NUMBERS` are the exceptions.
    """
    tree = ast.parse(source)
    if file in WITH_DOCSTRINGS:
        return marshal.dumps(compile(tree, file, "exec", dont_inherit=True, optimize=0))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
    code = compile(tree, file, "exec", dont_inherit=True, optimize=2)
    return marshal.dumps(code if file.startswith(WITH_LINE_NUMBERS) else _without_lines(code))


def _without_lines(code: CodeType) -> CodeType:
    constants = (
        _without_lines(constant) if isinstance(constant, CodeType) else constant
        for constant in code.co_consts
    )
    # An entry of kind 15 says that up to 8 instructions have no line (CPython, code_objects.md).
    full_entries, rest = divmod(len(code.co_code) // 2, 8)
    table = b"\xff" * full_entries + (bytes([0xF7 + rest]) if rest else b"")
    stripped = code.replace(co_linetable=table, co_consts=tuple(constants))
    if any(line is not None for *_, line in stripped.co_lines()):
        raise UnrecognisedError(f"the line table of {code.co_filename} has another format")
    return stripped


def _write(target: str, separate: Modules, packed: Modules, shown: dict[str, str]) -> None:
    with ZipFile(target, "w") as archive:
        for name, (is_package, code) in separate.items():
            path = name.replace(".", "/") + ("/__init__" if is_package else "")
            archive.writestr(ZipInfo(f"{path}.pyc"), PYC_HEADER + code)
        # newer formats depend on reference counts, which differ from build to build
        archive.writestr(ZipInfo("modules"), marshal.dumps(packed, 2))
        archive.writestr(ZipInfo("sources"), marshal.dumps(shown, 2))
