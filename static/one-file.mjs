// The module loader of the page in one file. The build inserts each module below as an async function, and replaces its
// imports by calls of loadFromFile. WebAssembly is in the page, gzipped, in <script> elements that browsers do not run.
// not the page's own address, because a data: or srcdoc page has none that others can be relative to
const base = "@base@";
const modules = new Map();
const defineModule = (name, run) => modules.set(base + name, () => run({ url: base + name }));

// Returns the exports of a module, which runs at its first import.
function loadFromFile(address) {
  const name = new URL(address, base).href;
  const module = modules.get(name);
  if (!module) return Promise.reject(new Error(`${address} is not in this file`));
  if (typeof module === "function") modules.set(name, module());
  return modules.get(name);
}

const packed = [...document.querySelectorAll('script[type="application/gzip"]')];
const decode = (text) =>
  Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
function wasmResponse() {
  const bytes = new ReadableStream({
    pull(stream) {
      const part = packed.shift();
      if (!part) return stream.close();
      stream.enqueue(decode(part.textContent));
      part.remove();
    },
  });
  const headers = { "content-type": "application/wasm" };
  return new Response(bytes.pipeThrough(new DecompressionStream("gzip")), { headers });
}

// Pyodide fetches only WebAssembly; the policy would block any other request.
globalThis.fetch = async (address) => {
  if (`${address}` === `${base}@wasm@` && packed.length) return wasmResponse();
  throw new TypeError(`${address} is not in this file`);
};

"@modules@";
