// Runs a module in Pyodide, like python -m. Usage: node run.mjs PYODIDE ROOT SITE_PACKAGES MODULE ARGUMENT…
import { pathToFileURL } from "node:url";
import path from "node:path";

const [runtime, root, packages, ...args] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")));
// Hypothesis must not load plugins of the host's packages.
const env = { HYPOTHESIS_PROFILE: "pyodide", HYPOTHESIS_NO_PLUGINS: "1", HOME: "/home/pyodide" };
const python = await loadPyodide({ env });
for (const [name, folder] of [["/root", root], ["/packages", packages]]) {
  python.FS.mkdirTree(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, name);
}
python.globals.set("arguments", python.toPy(args));
const code = python.runPython(`
import os, runpy, sys
sys.dont_write_bytecode = True
sys.path[:0] = ["/root"]
sys.path.append("/packages")
sys.argv = list(arguments)
os.chdir("/root")
try:
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    code = 0
except SystemExit as end:
    code = int(end.code or 0)
code
`);
process.exit(code);
