// Pyodide for PyScript: Python need not start and import, because its memory is restored from a snapshot. That
// is a custom section of WebAssembly's file, in the format of app/build/runtime.py.
import { loadPyodide as load, version } from "../pyodide/pyodide.mjs";

const indexURL = new URL("../pyodide/", import.meta.url).href;
const CHUNK = 4096;
const WORDS = CHUNK / 4;

// Pyodide reads the header before WebAssembly has arrived, so the header is filled in later.
const header = new Uint8Array(CHUNK);

// Returns a function that resets the memory to the initial data of WebAssembly, then applies the changed chunks.
function memoryRestorer(instance, module) {
  const [section] = WebAssembly.Module.customSections(module, "memory");
  const words = new Uint32Array(section);
  const [initialised, count] = words;
  const indices = words.subarray(2, 2 + count);
  const chunks = words.subarray(2 + count);
  header.set(new Uint8Array(section, chunks.byteOffset, CHUNK));
  const data = new Uint32Array(instance.exports.memory.buffer.slice(0, initialised * CHUNK));
  return (python) => {
    const { HEAPU32 } = python;
    // The trampoline, by which Python calls functions of any signature, depends on the browser: keep its value.
    const trampoline = (python.__PyRuntime + HEAPU32[python.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET / 4]) / 4;
    const pointer = HEAPU32[trampoline];
    // undo all writes since WebAssembly started, except in the unused part of the stack
    HEAPU32.fill(0, initialised * WORDS, python.___stack_low / 4);
    HEAPU32.fill(0, python.stackSave() / 4, HEAPU32[python._emscripten_get_sbrk_ptr() / 4] / 4);
    HEAPU32.set(data);
    indices.forEach((index, position) => {
      const chunk = chunks.subarray((1 + position) * WORDS, (2 + position) * WORDS);
      if (index < initialised) chunk.forEach((word, at) => (chunk[at] = word ^ data[index * WORDS + at]));
      HEAPU32.set(chunk, index * WORDS);
    });
    HEAPU32[trampoline] = pointer;
  };
}

// Pyodide waits for its lock file of packages; the page has no packages, so an empty one will do.
let resolveLockFile;
const lockFileContents = new Promise((resolve) => {
  resolveLockFile = (abi_version) => resolve({ info: { abi_version }, packages: {} });
});

async function createPyodideModule(settings) {
  const { default: create } = await import("../pyodide/pyodide.asm.mjs");
  const { instantiateWasm } = settings;
  let restore;
  settings.instantiateWasm = (imports, receive) =>
    instantiateWasm(imports, (instance, module) => {
      limitMemory(instance.exports.memory); // also in boot.mjs; Firefox exceeds the limit without this call
      restore = memoryRestorer(instance, module);
      receive(instance, module);
    });
  const python = await create(settings);
  restore(python);
  resolveLockFile(settings.API.abiVersion);
  return python;
}

const python = load({ indexURL, lockFileContents, createPyodideModule, _loadSnapshot: header });
const loadPyodide = () => python;

export { loadPyodide, version };
