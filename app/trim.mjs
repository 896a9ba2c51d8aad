// Runs app/trim.py inside the very Pyodide that is shipped, under Node, with the standard library that is to be
// trimmed: node trim.mjs RUNTIME PYSCRIPT ROOT LIBRARY
import { pathToFileURL } from "node:url";
import path from "node:path";

const [runtime, pyscript, root, library] = process.argv.slice(2).map((name) => path.resolve(name));
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")));
// Code that is shipped without its source can point at no place within a line.
const env = { PYTHONNODEBUGRANGES: "1" };
const python = await loadPyodide({ indexURL: runtime + path.sep, stdLibURL: library, env });
for (const [name, folder] of [["/pyscript", pyscript], ["/root", root], ["/out", path.dirname(library)]]) {
  python.FS.mkdirTree(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, name);
}
python.runPython(`
import sys
sys.path.insert(0, "/root")
from app.trim import trim
trim("/out/${path.basename(library)}", "/pyscript", "/root")
`);
