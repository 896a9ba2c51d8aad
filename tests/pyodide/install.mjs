// Installs a wheel in Pyodide with micropip, and scores with it. Usage: node install.mjs PYODIDE PACKAGES WHEEL
import { pathToFileURL } from "node:url";
import path from "node:path";

const [runtime, packages, wheel] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")));
const python = await loadPyodide();
for (const [name, folder] of [["/packages", packages], ["/wheels", path.dirname(wheel)]]) {
  python.FS.mkdirTree(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, name);
}
await python.runPythonAsync(`
import sys
sys.path.append("/packages")
import micropip
await micropip.install("emfs:/wheels/${path.basename(wheel)}")
sys.path.remove("/packages")
import bleu
score = bleu.sentence_bleu("the cat is on mat", ["the cat is on the mat"])
print(f"{score.value:.4f}", bleu.__version__)
`);
