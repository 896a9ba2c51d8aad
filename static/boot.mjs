// Starts PyScript, says how far it is, and says so when it does not come up.
const page = document.documentElement;
const line = document.getElementById("loading");
const PATIENCE = 90_000;

function fail(reason) {
  if (page.dataset.ready || page.dataset.failed) return;
  page.dataset.failed = "true";
  line.textContent =
    `Python did not start: ${reason}. Reload the page; if that does not help, try another browser, ` +
    "or a window without extensions. The worked example and the explanation can be read all the same.";
}

const ADVICE = {
  wasm: "this browser does not run WebAssembly, or something blocks it",
  file: "a file of the page could not be loaded",
  late: "it takes longer than it ever should",
  error: "it stopped with an error",
};

// Where another tab takes a new build over while this one still loads, it starts again: never two at once.
const workers = navigator.serviceWorker;
if (workers?.controller)
  workers.addEventListener("controllerchange", () => page.dataset.ready || location.reload());

document.getElementById("inputs").addEventListener("input", () => {
  if (!page.dataset.ready) page.dataset.stale = "true";
});

// Pyodide waits for ever for a file that is missing or has the wrong type: the browser's own record
// of what was loaded tells, without asking for anything twice.
const [wasm, library] = ["pyodide.asm.wasm", "python_stdlib.zip"].map(
  (name) => new URL(`../pyodide/${name}`, import.meta.url).href,
);
const files = new Set(
  [...document.querySelectorAll('link[rel="modulepreload"], link[rel="preload"]')].map((link) => link.href),
).add(wasm);
const total = files.size;
function watch({ name, responseStatus, contentType }) {
  if (!files.has(name)) return;
  if (responseStatus >= 400 || responseStatus === 0) fail(`${ADVICE.file} (${responseStatus || "no answer"} ${name})`);
  if (name.endsWith(".wasm") && contentType && contentType !== "application/wasm")
    fail(`the server sends ${name} as ${contentType}, not as application/wasm`);
  files.delete(name);
  if (!page.dataset.ready && !page.dataset.failed)
    line.textContent = `Loading Python: ${total - files.size} of ${total} files are here …`;
}

// Python is compiled while the page is painted. It is not preloaded: of a module that is, Chromium does not find
// the machine code again that it has kept since the last visit. Pyodide says nothing of one that does not compile,
// and waits for ever. The standard library, for which it asks too, comes with Python's memory.
function compile() {
  const { fetch } = globalThis;
  const { instantiate } = WebAssembly;
  const response = fetch(wasm, { priority: "low" });
  const compiled = WebAssembly.compileStreaming(response);
  const answers = new Map([
    [wasm, response],
    [library, Promise.resolve(new Response())],
  ]);
  globalThis.fetch = (address, ...options) => {
    const answer = answers.get(`${address}`) ?? fetch(address, ...options);
    if (answers.delete(`${address}`) && !answers.size) globalThis.fetch = fetch;
    return answer;
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    try {
      const module = await compiled;
      return { module, instance: await instantiate(module, imports) };
    } catch (reason) {
      fail(`${ADVICE.error} (${reason})`);
      throw reason;
    }
  };
}

// For every function of JavaScript that Python is to call, Emscripten has a module compiled that differs from
// others by its types alone: some two hundred, of thirty kinds. Each kind is compiled once.
function compileOnce() {
  const modules = new Map();
  WebAssembly.Module = new Proxy(WebAssembly.Module, {
    construct(Module, [bytes]) {
      const code = `${new Uint8Array(bytes)}`;
      if (!modules.has(code)) modules.set(code, new Module(bytes));
      return modules.get(code);
    },
  });
}

// PyScript opens a database of packages, and waits for ever where storage is blocked. There are no packages
// here: it finds an empty one, and nothing is stored.
function answered(result) {
  const request = {};
  queueMicrotask(() => request.onsuccess({ target: { result } }));
  return request;
}
const store = { getAllKeys: () => answered([]) };
const database = {
  objectStoreNames: ["entries"],
  transaction: () => ({ objectStore: () => store }),
  close: () => {},
};
Object.defineProperty(globalThis, "indexedDB", { value: { open: () => answered(database) } });

if (typeof WebAssembly !== "object") {
  fail(ADVICE.wasm);
} else {
  // Where a browser can switch stacks, Pyodide runs Python on a stack of its own, and Chromium crashes now and
  // then as it samples memory there. Nothing here waits within Python: it runs on the one stack, as elsewhere.
  for (const name of ["Suspending", "Suspender", "promising"]) delete WebAssembly[name];
  line.textContent = "Loading Python …";
  new PerformanceObserver((list) => list.getEntries().forEach(watch)).observe({ type: "resource", buffered: true });
  setTimeout(() => fail(ADVICE.late), PATIENCE);
  addEventListener("unhandledrejection", ({ reason }) => fail(`${ADVICE.error} (${reason})`));
  addEventListener("py:done", () => fail(ADVICE.error), true);
  for (const link of document.querySelectorAll("link"))
    link.addEventListener("error", () => fail(`${ADVICE.file} (${link.href})`));
  try {
    compile();
    compileOnce();
    // The worked example is painted before Python takes the machine; a hidden tab paints nothing.
    await new Promise((painted) => {
      requestAnimationFrame(() => setTimeout(painted));
      setTimeout(painted, 200);
    });
    const [{ hooks }] = await Promise.all([import("../pyscript/core.js"), import("./python.mjs")]);
    // PyScript prepares a worker with eval, which this page forbids and does not need.
    hooks.worker.onBeforeRunAsync.clear();
    // Imported now, the page is up before PyScript writes out the text of its own Python, of which the build has
    // the compiled form.
    hooks.main.onReady.add(({ interpreter }) => interpreter.pyimport("app.main").destroy());
  } catch (reason) {
    fail(`${ADVICE.file} (${reason})`);
  }
}
