// The page in one file. The build makes an async function of each module and puts it below; what they import, they
// take from here. WebAssembly stands in the page, packed by gzip, in parts that no browser runs.
const base = new URL(".", location.href).href;
const modules = new Map();
const defineModule = (name, run) => modules.set(base + name, () => run({ url: base + name }));

// The exports of a module, which runs once, when it is first asked for.
function loadFromFile(address) {
  const name = new URL(address, base).href;
  const module = modules.get(name);
  if (!module) return Promise.reject(new Error(`${address} is not in this file`));
  if (typeof module === "function") modules.set(name, module());
  return modules.get(name);
}

const packed = [...document.querySelectorAll('script[type="application/gzip"]')];
const decoded = (text) => Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
function unpacked() {
  const bytes = new ReadableStream({
    pull(stream) {
      const part = packed.shift();
      if (!part) return stream.close();
      stream.enqueue(decoded(part.textContent));
      part.remove();
    },
  });
  const headers = { "content-type": "application/wasm" };
  return new Response(bytes.pipeThrough(new DecompressionStream("gzip")), { headers });
}

// The one file that Pyodide asks for is here; nothing else is asked for, and the policy refuses it.
globalThis.fetch = async (address) => {
  if (`${address}` === `${base}@wasm@` && packed.length) return unpacked();
  throw new TypeError(`${address} is not in this file`);
};

"@modules@";
