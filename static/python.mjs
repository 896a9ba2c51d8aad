// Pyodide for PyScript. Python does not start and imports nothing: WebAssembly's file has brought its memory along,
// as the build has made it.
import { loadPyodide as load, version } from "../pyodide/pyodide.mjs";

const indexURL = new URL("../pyodide/", import.meta.url).href;
const PART = 4096;
const WORDS = PART / 4;

// What Pyodide looks at before it takes a memory, and which is known only when WebAssembly is there.
const head = new Uint8Array(PART);

// The memory is what WebAssembly itself puts there before anything runs, changed in parts.
function memory(instance, module) {
  const [section] = WebAssembly.Module.customSections(module, "memory");
  const words = new Uint32Array(section);
  const [own, count] = words;
  const places = words.subarray(2, 2 + count);
  const parts = words.subarray(2 + count);
  head.set(new Uint8Array(section, parts.byteOffset, PART));
  const data = new Uint32Array(instance.exports.memory.buffer.slice(0, own * PART));
  return (python) => {
    const { HEAPU32 } = python;
    // By this Python calls functions of any type, where a browser can: it is as this one has it.
    const trampoline = (python.__PyRuntime + HEAPU32[python.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET / 4]) / 4;
    const pointer = HEAPU32[trampoline];
    // what has been written since; below the stack's end it does not matter
    HEAPU32.fill(0, own * WORDS, python.___stack_low / 4);
    HEAPU32.fill(0, python.stackSave() / 4, HEAPU32[python._emscripten_get_sbrk_ptr() / 4] / 4);
    HEAPU32.set(data);
    places.forEach((place, index) => {
      const part = parts.subarray((1 + index) * WORDS, (2 + index) * WORDS);
      if (place < own) part.forEach((word, at) => (part[at] = word ^ data[place * WORDS + at]));
      HEAPU32.set(part, place * WORDS);
    });
    HEAPU32[trampoline] = pointer;
  };
}

// There are no packages; what Pyodide wants to know of them, it says itself.
let none;
const lockFileContents = new Promise((resolve) => {
  none = (abi_version) => resolve({ info: { abi_version }, packages: {} });
});

async function createPyodideModule(settings) {
  const { default: create } = await import("../pyodide/pyodide.asm.mjs");
  const { instantiateWasm } = settings;
  let restore;
  settings.instantiateWasm = (imports, receive) =>
    instantiateWasm(imports, (instance, module) => {
      limitMemory(instance.exports.memory); // here too: without it Firefox goes beyond the limit
      restore = memory(instance, module);
      receive(instance, module);
    });
  const python = await create(settings);
  restore(python);
  none(settings.API.abiVersion);
  return python;
}

const python = load({ indexURL, lockFileContents, createPyodideModule, _loadSnapshot: head });

export { version };
export const loadPyodide = () => python;
