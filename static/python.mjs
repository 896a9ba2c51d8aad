// Pyodide for PyScript: begun while PyScript itself comes up, with the memory that a visit before has kept, or from
// the beginning.
import { loadPyodide as load, version } from "../pyodide/pyodide.mjs";
import { keep, kept } from "./memory.mjs";

const indexURL = new URL("../pyodide/", import.meta.url).href;
// With what these import, all that PyScript and the page need and that does not need the page.
const EARLY = "import base64, pathlib, app.corpora_view, app.patch, app.url, app.view";

// Pyodide wants to know at once how long the memory is, and needs what it holds much later.
async function restored({ memory, reading }) {
  const { default: create } = await import("../pyodide/pyodide.asm.mjs");
  const createPyodideModule = async (settings) => {
    const module = await create(settings);
    await reading;
    return module;
  };
  const python = await load({ indexURL, createPyodideModule, _loadSnapshot: memory });
  document.documentElement.dataset.restored = "true";
  return python;
}

async function started() {
  const found = await kept;
  if (found)
    try {
      return await restored(found);
    } catch (reason) {
      console.warn(`Python's memory is of no use (${reason}): it starts from the beginning`);
    }
  const python = await load({ indexURL });
  python.runPython(EARLY);
  try {
    keep(python);
  } catch {
    // there is no room: the next visit starts as this one
  }
  return python;
}

const python = started();

export { version };
export const loadPyodide = () => python;
