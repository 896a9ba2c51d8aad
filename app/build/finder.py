"""An importer that loads the page's modules from memory, without opening a file for each.

The build ships it as `sitecustomize`, which Python imports by itself at its start.
"""

import sys
from _frozen_importlib import ModuleSpec
from marshal import loads
from zipimport import zipimporter

Modules = dict[str, tuple[bool, bytes]]
"""By name: whether the module is a package, and its marshalled code."""


class MemoryFinder:
    """A finder and loader of modules in memory; `root` is the folder that their paths start with.

    `sources` has the text of the modules that the page shows, by name.

    Python's own zipimport opens the zip again for every module.

    >>> from marshal import dumps
    >>> code = dumps(compile("c = 1", "b.py", "exec"))
    >>> library = MemoryFinder({"a.b": (False, code)}, "/zip", {})
    >>> library.find_spec("a.b").origin, library.find_spec("a")
    ('/zip/a/b.py', None)
    """

    def __init__(self, modules: Modules, root: str, sources: dict[str, str]) -> None:
        self.modules = modules
        self.sources = sources
        self.root = root

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Return the spec of a module, or None if it is not in memory."""
        if name not in self.modules:
            return None
        is_package = self.modules[name][0]
        path = f"{self.root}/{name.replace('.', '/')}"
        file = f"{path}/__init__.py" if is_package else f"{path}.py"
        # Python only needs a loader's two methods below, not its base class
        spec = ModuleSpec(name, self, origin=file, is_package=is_package)  # type: ignore[arg-type]
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [path]
        return spec

    def create_module(self, _spec: ModuleSpec) -> None:
        """Let Python create the module in the default way."""

    def get_source(self, name: str) -> str | None:
        """Return the text of a module, for `inspect.getsource`, or None if it is not shown."""
        return self.sources.get(name)

    def exec_module(self, module: object) -> None:
        """Run the module's code, and free it, because a module is loaded only once."""
        names = vars(module)
        exec(loads(self.modules[names["__name__"]][1]), names)
        del self.modules[names["__name__"]]


if isinstance(__spec__.loader, zipimporter):
    library = __spec__.loader
    modules, sources = (loads(library.get_data(name)) for name in ("modules", "sources"))
    # before PathFinder, which looks in folders and zips
    sys.meta_path.insert(-1, MemoryFinder(modules, library.archive, sources))
