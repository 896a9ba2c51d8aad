// Runs app/build/stdlib.py in Pyodide under Node.js. Usage:
// node stdlib.mjs PYODIDE PYSCRIPT ENCODER ROOT LIBRARY
import { pathToFileURL } from "node:url";
import path from "node:path";

const [pyodide, pyscript, encoder, root, library] = process.argv.slice(2).map((name) => path.resolve(name));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
// The page has no sources, so a traceback could not show columns; code without them is smaller.
const env = { PYTHONNODEBUGRANGES: "1" };
const UNRECOGNISED_EXIT = 3;
function exitUnrecognised(reason) {
  console.error(reason);
  process.exit(UNRECOGNISED_EXIT);
}
const settings = { indexURL: pyodide + path.sep, stdLibURL: library, env };
const python = await loadPyodide(settings).catch((reason) => {
  const lastLine = String(reason).trim().split("\n").at(-1);
  exitUnrecognised(`Pyodide does not start with the replaced package loader: ${lastLine}`);
});
const folders = { "/pyscript": pyscript, "/encoder": encoder, "/root": root, "/out": path.dirname(library) };
for (const [name, folder] of Object.entries(folders)) {
  python.FS.mkdirTree(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, name);
}
const reason = python.runPython(`
import sys
sys.path[:0] = ["/root", "/encoder"]
from app.build.stdlib import pack_modules
from app.build import UnrecognisedError
try:
    reason = pack_modules("/out/${path.basename(library)}", "/pyscript", "/encoder", "/root")
except UnrecognisedError as error:
    reason = str(error)
reason
`);
if (reason) exitUnrecognised(reason);
