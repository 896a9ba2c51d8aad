// Python's memory with all imported that needs no page, made under Node by the very Pyodide that is shipped:
// node snapshot.mjs NPM RUNTIME LIBRARY TARGET MODULES, where NPM is Pyodide as it came, and MODULES are those that
// need a page, beside the controllers.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import path from "node:path";

const [npm, runtime, library, target] = process.argv.slice(2, 6).map((name) => path.resolve(name));
const later = process.argv.slice(6);

const IMPORT = `
import gc, importlib, sys
from sitecustomize import MemoryFinder

library = next(finder for finder in sys.meta_path if isinstance(finder, MemoryFinder))
for name in list(library.modules):
    if name.endswith((".controller", "_controller")):
        continue  # these need a page
    if not any(name == package or name.startswith(f"{package}.") for package in later):
        importlib.import_module(name)
# the page does not have the library's file, and Pyodide puts the first of the path there again
sys.path_importer_cache.clear()
sys.path.remove("")
gc.collect()
# none of it ever goes: it is not looked through again
gc.freeze()
sys._clear_internal_caches()
`;

// What is freed still holds what was there, on the stack and elsewhere. It is taken once more, emptied, and freed. A
// block from near the end is of memory that was never used; to ask for more would make the memory grow.
function empty({ _malloc, _free, HEAPU8, ___stack_low, stackSave }) {
  const end = HEAPU8.length - (1 << 21);
  const blocks = [];
  for (let size = 1 << 16; size >= 16; size /= 2)
    for (let block = _malloc(size); block; block = block < end && _malloc(size)) {
      blocks.push(block);
      if (block < end) HEAPU8.fill(0, block, block + size);
    }
  blocks.forEach((block) => _free(block));
  HEAPU8.fill(0, ___stack_low, stackSave());
}

// As in the page, Python runs on one stack. For the same bytes each time there is no chance, no clock, and nothing of
// this machine. Nor is there of its version of Node, which Python would keep as the name of its runtime: on an iPhone,
// Pyodide uses nothing of WebAssembly that Node 20 is too old for.
for (const name of ["Suspending", "Suspender", "promising"]) delete WebAssembly[name];
process.env.TZ = "UTC";
Date.now = () => 0;
Object.defineProperty(performance, "now", { value: () => 0 });
Object.defineProperty(globalThis, "navigator", { value: { userAgent: "iPhone" } });
const env = { LANG: "en_US.UTF-8", PYTHONHASHSEED: "0" };
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")));
const python = await loadPyodide({
  indexURL: runtime + path.sep,
  stdLibURL: library,
  lockFileURL: path.join(npm, "pyodide-lock.json"),
  env,
  _sysExecutable: "./this.program",
});
const globals = python.toPy({ later });
python.runPython(IMPORT, { globals });
globals.destroy();
empty(python._module);
// As an option of the start, this would put a recorder round all that Python takes from the page.
python._api.config._makeSnapshot = true;
writeFileSync(target, python.makeMemorySnapshot());
