// Runs app/build/stdlib.py inside the very Pyodide that is shipped, under Node, with the standard library that is to be
// trimmed: node stdlib.mjs RUNTIME PYSCRIPT ROOT LIBRARY
import { pathToFileURL } from "node:url";
import path from "node:path";

const [runtime, pyscript, root, library] = process.argv.slice(2).map((name) => path.resolve(name));
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")));
// Code that is shipped without its source can point at no place within a line.
const env = { PYTHONNODEBUGRANGES: "1" };
const UNRECOGNISED = 3;
function unrecognised(reason) {
  console.error(reason);
  process.exit(UNRECOGNISED);
}
const settings = { indexURL: runtime + path.sep, stdLibURL: library, env };
const python = await loadPyodide(settings).catch((reason) =>
  unrecognised(`Pyodide does not start with the stubs: ${String(reason).trim().split("\n").at(-1)}`),
);
for (const [name, folder] of [["/pyscript", pyscript], ["/root", root], ["/out", path.dirname(library)]]) {
  python.FS.mkdirTree(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, name);
}
const said = python.runPython(`
import sys
sys.path.insert(0, "/root")
from app.build.stdlib import trim
from app.build.unrecognised import UnrecognisedError
try:
    said = trim("/out/${path.basename(library)}", "/pyscript", "/root")
except UnrecognisedError as error:
    said = str(error)
said
`);
if (said) unrecognised(said);
