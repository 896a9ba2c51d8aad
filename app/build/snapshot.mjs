// Writes a snapshot of Python's memory after all imports that need no browser. Usage:
// node snapshot.mjs PYODIDE LIBRARY TARGET EXCLUDED…, where EXCLUDED are packages and modules not to import.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import path from "node:path";

const [pyodide, library, target] = process.argv.slice(2, 5).map((name) => path.resolve(name));
const excluded = process.argv.slice(5);

// stdlib.mjs has just imported the project's own modules, so any error here means that Pyodide has changed.
const UNRECOGNISED_EXIT = 3;
process.on("uncaughtException", (error) => {
  console.error(`Python's memory cannot be saved: ${String(error).trim().split("\n").at(-1)}`);
  process.exit(UNRECOGNISED_EXIT);
});

const IMPORT = `
import gc, importlib, sys
from sitecustomize import MemoryFinder

finder = next(finder for finder in sys.meta_path if isinstance(finder, MemoryFinder))
for name in list(finder.modules):
    if name.endswith((".controller", "_controller")):
        continue  # controllers need a browser
    if not any(name == package or name.startswith(f"{package}.") for package in excluded):
        importlib.import_module(name)
# the page has no file of the library; Pyodide adds "" to the path again when it restores
sys.path_importer_cache.clear()
sys.path.remove("")
gc.collect()
# the imported objects live as long as the page, so the garbage collector need not visit them
gc.freeze()
sys._clear_internal_caches()
`;

// Freed memory keeps its old content, which would be stored. So allocate all of it, fill it with zeros and free it
// again, and clear the unused stack. A block near the end was never used; one more allocation would grow the memory.
function clearFreeMemory({ _malloc, _free, HEAPU8, ___stack_low, stackSave }) {
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

// Without stack switching, Python runs on a single stack, as in the page (see static/boot.mjs).
for (const name of ["Suspending", "Suspender", "promising"]) delete WebAssembly[name];
// The same sources must give the same bytes: fix the time zone, the clocks and the hash seed. Python would store the
// version of Node.js as the runtime's name, unless the user agent names a browser; for an iPhone, Pyodide also avoids
// features of WebAssembly that Node.js 18 and 20 do not have.
process.env.TZ = "UTC";
Date.now = () => 0;
Object.defineProperty(performance, "now", { value: () => 0 });
Object.defineProperty(globalThis, "navigator", { value: { userAgent: "iPhone" } });
const env = { LANG: "en_US.UTF-8", PYTHONHASHSEED: "0" };
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
const python = await loadPyodide({
  indexURL: pyodide + path.sep,
  stdLibURL: library,
  env,
  _sysExecutable: "./this.program",
});
const globals = python.toPy({ excluded });
python.runPython(IMPORT, { globals });
globals.destroy();
clearFreeMemory(python._module);
// Set only now, because as an option of loadPyodide it would wrap every JavaScript object that Python uses.
python._api.config._makeSnapshot = true;
writeFileSync(target, python.makeMemorySnapshot());
