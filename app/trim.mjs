// Runs app/trim.py inside the very Pyodide that is shipped, under Node: node trim.mjs RUNTIME PYSCRIPT ROOT OUT
import { pathToFileURL } from "node:url";
import path from "node:path";

const [runtime, pyscript, root, out] = process.argv.slice(2).map((name) => path.resolve(name));
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")));
// Code that is shipped without its source can point at no place within a line.
const env = { PYTHONNODEBUGRANGES: "1" };
const python = await loadPyodide({ indexURL: runtime + path.sep, env });
for (const [name, folder] of [["/runtime", runtime], ["/pyscript", pyscript], ["/root", root], ["/out", path.dirname(out)]]) {
  python.FS.mkdirTree(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, name);
}
python.runPython(`
import sys
sys.path.insert(0, "/root")
from app.trim import trim
trim("/runtime/python_stdlib.zip", "/pyscript", "/root", "/out/${path.basename(out)}")
`);
