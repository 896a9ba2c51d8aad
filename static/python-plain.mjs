// The plain Pyodide for PyScript: Python imports bleu and app from a zip of their sources.
import { loadPyodide as load, version } from "../pyodide/pyodide.mjs";

const indexURL = new URL("../pyodide/", import.meta.url).href;
const sources = fetch(new URL("../page.zip", import.meta.url)).then((response) => response.arrayBuffer());

async function start() {
  const python = await load({ indexURL });
  python.FS.writeFile("/page.zip", new Uint8Array(await sources));
  python.runPython("import sys; sys.path.append('/page.zip')");
  return python;
}
const python = start();
const loadPyodide = () => python;

export { loadPyodide, version };
