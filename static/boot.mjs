// Starts PyScript, says how far it is, and says so when it does not come up.
const page = document.documentElement;
const line = document.getElementById("loading");
const PATIENCE = 90_000;
const MEGABYTE = 1e6;

function fail(reason) {
  if (page.dataset.ready || page.dataset.failed || page.dataset.again) return;
  page.dataset.failed = "true";
  line.textContent =
    `Python did not start: ${reason}. Reload the page; if that does not help, try another browser, ` +
    "or a window without extensions. The worked example and the explanation can be read all the same.";
}

// A file that was broken off may come when the page is loaded once more; in one file there is none.
function lost(file) {
  if (!globalThis.startAgain?.()) fail(`${ADVICE.file} (${file})`);
}

const ADVICE = {
  wasm: "this browser does not run WebAssembly, or something blocks it",
  file: "a file of the page could not be loaded",
  late: "nothing more has come for a minute and a half",
  error: "it stopped with an error",
};

// Keeps what stands in the boxes in this tab, by the ids of the controls, for Python to read after a reload. Until
// Python is up that is what has been typed so far. False where there is no room for it.
const typed = (one) => one.value !== (one.options ? one.querySelector("[selected]")?.value : one.defaultValue);
const changed = (one) => (one.type === "checkbox" ? one.checked !== one.defaultChecked : typed(one));
globalThis.keepTexts = (name) => {
  const whole = Boolean(page.dataset.ready);
  const controls = ["inputs", "corpus-form"].flatMap((form) => [...document.getElementById(form).elements]);
  const values = controls
    .filter((one) => one.id && /^(text|textarea|select-one|checkbox)$/.test(one.type) && (whole || changed(one)))
    .map((one) => [one.id, one.type === "checkbox" ? one.checked : one.value]);
  try {
    const before = whole ? null : JSON.parse(sessionStorage.getItem(name));
    const link = before?.link ?? globalThis.textLink ?? location.hash;
    const all = { ...before?.values, ...Object.fromEntries(values) };
    sessionStorage.setItem(name, JSON.stringify({ link, values: all, whole: whole || Boolean(before?.whole) }));
    return true;
  } catch {
    if (whole) inStorage("removeItem", name);
    return false;
  }
};
function inStorage(act, name) {
  try {
    return sessionStorage[act](name);
  } catch {
    return null; // blocked
  }
}
addEventListener("pagehide", () => {
  if (page.dataset.ready) document.getElementById("keep-texts").checked && keepTexts("bleu");
  else if (inStorage("getItem", "bleu")) keepTexts("bleu-once");
});

// Where another tab takes a new build over while this one still loads, it starts again: never two at once.
const workers = navigator.serviceWorker;
if (workers?.controller)
  workers.addEventListener("controllerchange", () => {
    if (page.dataset.ready) return;
    if (keepTexts("bleu-once")) location.reload();
    else fail("a new version of this page is here, and what you typed is too long to be kept: copy it first");
  });

// A link with texts is scored once Python is ready; until then the worked example stands here.
if (location.hash.includes("hypothesis=")) page.dataset.stale = "true";
document.getElementById("inputs").addEventListener("input", () => {
  if (!page.dataset.ready) page.dataset.stale = "true";
});

// A file that is dropped before Python listens would take the browser to it, away from what is typed.
for (const kind of ["dragover", "drop"])
  addEventListener(kind, (event) => {
    if (!page.dataset.ready && event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });

// Pyodide waits for ever for a file that is missing or has the wrong type: the browser's own record
// of what was loaded tells, without asking for anything twice.
const [wasm, library] = ["pyodide.asm.wasm", "python_stdlib.zip"].map(
  (name) => new URL(`../pyodide/${name}`, import.meta.url).href,
);
const start = document.querySelector("script[data-wasm]").dataset;
const size = Number(start.wasm);
const files = new Set([
  ...[...document.querySelectorAll('link[rel="preload"]')].map((link) => link.href),
  ...start.fetched.split(" ").filter(Boolean).map((name) => new URL(`../${name}`, import.meta.url).href),
  wasm,
]);
const total = files.size;
// Python's memory comes with WebAssembly, but where the runtime is plain.
const plain = files.has(library);
let received = 0;

// A slow network is waited for as long as it brings anything.
let timer;
function tell() {
  clearTimeout(timer);
  if (page.dataset.ready || page.dataset.failed) return;
  timer = setTimeout(() => fail(ADVICE.late), PATIENCE);
  const [part, whole] = [received, size].map((bytes) => Math.floor(bytes / MEGABYTE));
  const largest = files.has(wasm) && part ? `, and of the largest ${part} of ${whole} MB` : "";
  const words = `Loading Python: ${total - files.size} of ${total} files are here${largest} …`;
  if (line.textContent !== words) line.textContent = words;
}

// The bytes of a copy are counted: what is compiled stays as it came, as browsers keep machine code for that alone.
async function count(response) {
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    received += value.length;
    tell();
  }
}

function watch({ name, responseStatus, contentType }) {
  if (!files.has(name)) return;
  if (responseStatus >= 400) fail(`${ADVICE.file} (${responseStatus} ${name})`);
  if (responseStatus === 0) lost(`no answer ${name}`);
  if (name.endsWith(".wasm") && contentType && contentType !== "application/wasm")
    fail(`the server sends ${name} as ${contentType}, not as application/wasm`);
  files.delete(name);
  tell();
}

// Pyodide misreads text that lies above 2 GB. Short of that the memory grows no more, and Python raises MemoryError.
const PAGE = 65536;
const MOST = 2 ** 31 - PAGE;
globalThis.limitMemory = (memory) => {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE > MOST) throw new RangeError("Python has all the memory it may have");
    return grow(pages);
  };
};

// Python is compiled while the page is painted. It is not preloaded: of a module that is, Chromium does not find
// the machine code again that it has kept since the last visit. Pyodide says nothing of one that does not compile,
// and waits for ever. The standard library, for which it asks too, is in Python's memory where that is restored.
function compile() {
  const { fetch } = globalThis;
  const { instantiate } = WebAssembly;
  const response = fetch(wasm, { priority: "low" });
  response.catch(() => lost(wasm));
  // a broken response is told of by those who wait for it
  if (!workers?.controller) response.then((one) => count(one.clone())).catch(() => {});
  const compiled = WebAssembly.compileStreaming(response);
  const answers = new Map([[wasm, response]]);
  if (!plain) answers.set(library, Promise.resolve(new Response()));
  globalThis.fetch = (address, ...options) => {
    const answer = answers.get(`${address}`) ?? fetch(address, ...options);
    if (answers.delete(`${address}`) && !answers.size) globalThis.fetch = fetch;
    return answer;
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    try {
      const module = await compiled;
      const instance = await instantiate(module, imports);
      limitMemory(instance.exports.memory);
      return { module, instance };
    } catch (reason) {
      fail(`${ADVICE.error} (${reason})`);
      throw reason;
    }
  };
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

// What seals the page is a module of its own; asked for here too, it tells when it does not come or stops.
import("./seal.mjs").catch((reason) => {
  document.getElementById("seal").textContent =
    `Not sealed: the script that seals this page did not run (${reason}). No script of this page sends your texts ` +
    "anywhere, but the browser would not stop one that did.";
});

if (typeof WebAssembly !== "object") {
  fail(ADVICE.wasm);
} else {
  // Where a browser can switch stacks, Pyodide runs Python on a stack of its own, and Chromium crashes now and
  // then as it samples memory there. Nothing here waits within Python: it runs on the one stack, as elsewhere.
  for (const name of ["Suspending", "Suspender", "promising"]) delete WebAssembly[name];
  line.textContent = "Loading Python …";
  new PerformanceObserver((list) => list.getEntries().forEach(watch)).observe({ type: "resource", buffered: true });
  timer = setTimeout(() => fail(ADVICE.late), PATIENCE);
  addEventListener("unhandledrejection", ({ reason }) => fail(`${ADVICE.error} (${reason})`));
  addEventListener("py:done", () => fail(ADVICE.error), true);
  for (const link of document.querySelectorAll("link"))
    link.addEventListener("error", () => lost(link.href));
  try {
    compile();
    // The worked example is painted before Python takes the machine; a hidden tab paints nothing.
    await new Promise((painted) => {
      requestAnimationFrame(() => setTimeout(painted));
      setTimeout(painted, 200);
    });
    const [{ hooks }] = await Promise.all([import("../pyscript/core.js"), import("./python.mjs")]);
    // PyScript prepares a worker with eval, which this page forbids and does not need.
    hooks.worker.onBeforeRunAsync.clear();
    // Imported now, the page is up before PyScript writes out the text of its own Python, of which the memory has
    // the compiled form.
    if (!plain) hooks.main.onReady.add(({ interpreter }) => interpreter.pyimport("app.main").destroy());
  } catch (reason) {
    lost(reason);
  }
}
