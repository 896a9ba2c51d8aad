"""The modules of the page in one piece of memory, where Python finds them without opening a file.

In the build this is `sitecustomize`, which Python imports as the first of all that is not its own.
"""

import sys
from _frozen_importlib import ModuleSpec
from marshal import loads
from zipimport import zipimporter

Modules = dict[str, tuple[bool, bytes]]
"""Of each name, whether it is a package, and its compiled code."""


class MemoryFinder:
    """Finds and runs modules; `root` is where their files are said to be.

    Python's own way to a zip opens it anew for each module, and reads its directory file by file.

    >>> from marshal import dumps
    >>> library = MemoryFinder({"a.b": (False, dumps(compile("c = 1", "b.py", "exec")))}, "/zip")
    >>> library.find_spec("a.b").origin, library.find_spec("a")
    ('/zip/a/b.py', None)
    """

    def __init__(self, modules: Modules, root: str) -> None:
        self.modules = modules
        self.root = root

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """What Python asks of a finder: where a module comes from, or None."""
        if name not in self.modules:
            return None
        package = self.modules[name][0]
        place = f"{self.root}/{name.replace('.', '/')}"
        file = f"{place}/__init__.py" if package else f"{place}.py"
        # an object with the two methods below is loader enough
        spec = ModuleSpec(name, self, origin=file, is_package=package)  # type: ignore[arg-type]
        spec.has_location = True
        if package:
            spec.submodule_search_locations = [place]
        return spec

    def create_module(self, _spec: ModuleSpec) -> None:
        """What Python asks of a loader: a module like any other."""

    def exec_module(self, module: object) -> None:
        """Run a module's code in it; then it is known no more, and takes no memory."""
        names = vars(module)
        exec(loads(self.modules[names["__name__"]][1]), names)
        del self.modules[names["__name__"]]


if isinstance(__spec__.loader, zipimporter):
    archive = __spec__.loader.archive
    # before the finder that looks through folders and zips
    sys.meta_path.insert(-1, MemoryFinder(loads(__spec__.loader.get_data("modules")), archive))
