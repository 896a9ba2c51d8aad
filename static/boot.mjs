// Starts PyScript, shows the progress, and reports if Python does not start.
const page = document.documentElement;
const line = document.getElementById("loading");
const TIMEOUT_MS = 90_000;
const MEGABYTE = 1e6;

function showStartError(reason) {
  if (page.dataset.ready || page.dataset.failed || page.dataset.again) return;
  page.dataset.failed = reason === REASONS.late ? "late" : "true";
  line.textContent =
    `Python did not start: ${reason}. Reload the page; if that does not help, try another browser, ` +
    "or a window without extensions. The worked example and the explanation can be read all the same.";
}

// An aborted download may succeed after a reload. The single-file page has no startAgain.
function onDownloadFailed(file) {
  if (!globalThis.startAgain?.()) showStartError(`${REASONS.file} (${file})`);
}

const REASONS = {
  wasm: "this browser does not run WebAssembly, or something blocks it",
  file: "a file of the page could not be loaded",
  late: "no more data has arrived for a minute and a half",
  error: "it stopped with an error",
};

const isValueEdited = (control) =>
  control.value !== (control.options ? control.querySelector("[selected]")?.value : control.defaultValue);
const isEdited = (control) =>
  control.type === "checkbox" ? control.checked !== control.defaultChecked : isValueEdited(control);
const isInput = (control) => control.id && /^(text|textarea|select-one|checkbox)$/.test(control.type);

// Saves the inputs in session storage, by the ids of the controls, for Python to read after a reload. Before Python is
// ready, only edited inputs are saved. Returns "", or why they are not saved.
globalThis.keepTexts = (name) => {
  const isReady = Boolean(page.dataset.ready);
  const controls = ["inputs", "corpus-form"].flatMap((form) => [...document.getElementById(form).elements]);
  const values = controls
    .filter((control) => isInput(control) && (isReady || isEdited(control)))
    .map((control) => [control.id, control.type === "checkbox" ? control.checked : control.value]);
  try {
    const saved = isReady ? null : JSON.parse(sessionStorage.getItem(name));
    const link = saved?.link ?? globalThis.textLink ?? location.hash;
    const allValues = { ...saved?.values, ...Object.fromEntries(values) };
    sessionStorage.setItem(name, JSON.stringify({ link, values: allValues, whole: isReady || Boolean(saved?.whole) }));
    return "";
  } catch {
    if (isReady) callStorage("removeItem", name);
    return storageFault();
  }
};
// A browser that blocks storage, or has no room left in it, refuses a short text, too.
function storageFault() {
  try {
    sessionStorage.setItem("bleu-room", "");
    sessionStorage.removeItem("bleu-room");
    return "they are too long for this browser’s storage";
  } catch ({ name }) {
    if (name === "QuotaExceededError") return "this browser’s storage for the page is full";
    return "this browser blocks storage for the page";
  }
}
function callStorage(method, name) {
  try {
    return sessionStorage[method](name);
  } catch {
    return null; // the browser blocks storage
  }
}
// Texts also survive a visit to another page in this tab, from which Back in the browser returns.
let isLeaving = false;
addEventListener("click", ({ target, ctrlKey, metaKey, shiftKey }) => {
  const isNewTab = ctrlKey || metaKey || shiftKey;
  isLeaving = !isNewTab && Boolean(target.closest?.('a[href]:not([href^="#"], [download])'));
});
// WebKit resets a form soon after Back has restored its page from memory; the page then restarts with the saved texts.
function onReturn() {
  if (!isLeaving) return;
  isLeaving = false;
  const saved = callStorage("getItem", "bleu-once");
  keepTexts("bleu-once");
  if (saved === callStorage("getItem", "bleu-once")) return callStorage("removeItem", "bleu-once");
  sessionStorage.setItem("bleu-once", saved);
  location.reload();
}
addEventListener("pageshow", () => setTimeout(onReturn));
addEventListener("pagehide", () => {
  if (isLeaving) keepTexts("bleu-once");
  if (page.dataset.ready) document.getElementById("keep-texts").checked && keepTexts("bleu");
  else if (callStorage("getItem", "bleu")) keepTexts("bleu-once");
});

// If another tab activates a new build while this page is loading, reload: never mix files of two builds.
const workers = navigator.serviceWorker;
if (workers?.controller)
  workers.addEventListener("controllerchange", () => {
    if (page.dataset.ready) return;
    const fault = keepTexts("bleu-once");
    if (!fault) location.reload();
    else showStartError(`a new version of this page is here, and your texts cannot be kept, because ${fault}: copy them first`);
  });

// Until Python is ready, the page shows the worked example, or the texts of a link.
document.getElementById("inputs").addEventListener("input", () => {
  if (!page.dataset.ready) page.dataset.stale ??= "true";
});

// The radio buttons of N set its menu, which Python and scripts read; Python sets them, too.
document.getElementById("inputs").addEventListener(
  "input",
  ({ target }) => target.name === "n" && (document.getElementById("max-order").value = target.value),
  true,
);

// A file dropped before Python listens would make the browser open it and leave the page.
for (const kind of ["dragover", "drop"])
  addEventListener(kind, (event) => {
    if (!page.dataset.ready && event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });

// Pyodide waits forever for a file that is missing or has the wrong type. The browser's resource timing reports such
// files without a second request.
const [wasm, library] = ["pyodide.asm.wasm", "python_stdlib.zip"].map(
  (name) => new URL(`../pyodide/${name}`, import.meta.url).href,
);
const wasmSize = Number(document.querySelector("script[data-wasm]").dataset.wasm);
const pendingFiles = new Set([
  ...[...document.querySelectorAll('link[rel="preload"]')].map((link) => link.href),
  wasm,
]);
const total = pendingFiles.size;
let receivedBytes = 0;

// Shows the progress, and restarts the timer: a slow network is no error as long as data arrive.
let timer;
let shownText;
function showProgress() {
  clearTimeout(timer);
  if (page.dataset.ready || page.dataset.failed) return;
  timer = setTimeout(() => showStartError(REASONS.late), TIMEOUT_MS);
  const [done, size] = [receivedBytes, wasmSize].map((bytes) => Math.floor(bytes / MEGABYTE));
  const largest = pendingFiles.has(wasm) && done ? `, and of the largest ${done} of ${size} MB` : "";
  const text = `Loading Python: ${total - pendingFiles.size} of ${total} files are here${largest} …`;
  if (text !== shownText) line.textContent = shownText = text;
}

// Counts the bytes of a copy, because browsers cache machine code only for the original response.
async function countBytes(response) {
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    receivedBytes += value.length;
    showProgress();
  }
}

function onResource({ name, responseStatus, contentType }) {
  if (!pendingFiles.has(name)) return;
  if (responseStatus >= 400) showStartError(`${REASONS.file} (${responseStatus} ${name})`);
  if (responseStatus === 0) onDownloadFailed(`no answer ${name}`);
  if (name.endsWith(".wasm") && contentType && contentType !== "application/wasm")
    showStartError(`the server sends ${name} as ${contentType}, not as application/wasm`);
  pendingFiles.delete(name);
  showProgress();
}

// Pyodide misreads text at addresses above 2 GB. With this limit Python raises MemoryError instead.
const WASM_PAGE_BYTES = 65536;
const MAX_MEMORY_BYTES = 2 ** 31 - WASM_PAGE_BYTES;
globalThis.limitMemory = (memory) => {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * WASM_PAGE_BYTES > MAX_MEMORY_BYTES)
      throw new RangeError("Python has reached its memory limit");
    return grow(pages);
  };
};

// Compiles WebAssembly while the page is painted. It is not preloaded, because Chromium does not find the cached
// machine code of a preloaded module.
function startCompiling() {
  const { fetch } = globalThis;
  const { instantiate } = WebAssembly;
  const response = fetch(wasm, { priority: "low" });
  response.catch(() => onDownloadFailed(wasm));
  // errors of the copy are ignored, because the original reports them
  if (!workers?.controller) response.then((original) => countBytes(original.clone())).catch(() => {});
  const compiled = WebAssembly.compileStreaming(response);
  const responses = new Map([[wasm, response]]);
  // The memory snapshot has the standard library, so Pyodide's request for it gets an empty answer.
  responses.set(library, Promise.resolve(new Response()));
  globalThis.fetch = (address, ...options) => {
    const result = responses.get(`${address}`) ?? fetch(address, ...options);
    if (responses.delete(`${address}`) && !responses.size) globalThis.fetch = fetch;
    return result;
  };
  // Pyodide would wait forever for a module that does not compile.
  WebAssembly.instantiateStreaming = async (_, imports) => {
    try {
      const module = await compiled;
      const instance = await instantiate(module, imports);
      limitMemory(instance.exports.memory);
      return { module, instance };
    } catch (reason) {
      showStartError(`${REASONS.error} (${reason})`);
      throw reason;
    }
  };
}

// PyScript opens a database of packages, and waits forever if the browser blocks storage. The page has no packages, so
// PyScript gets a fake, empty database.
function fakeRequest(result) {
  const request = {};
  queueMicrotask(() => request.onsuccess({ target: { result } }));
  return request;
}
const store = { getAllKeys: () => fakeRequest([]) };
const database = {
  objectStoreNames: ["entries"],
  transaction: () => ({ objectStore: () => store }),
  close: () => {},
};
Object.defineProperty(globalThis, "indexedDB", { value: { open: () => fakeRequest(database) } });

// index.html loads seal.mjs, too; this import only reports an error.
import("./seal.mjs").catch((reason) => {
  document.getElementById("state").open = true;
  document.getElementById("seal").textContent =
    `Not sealed: the script that seals this page did not run (${reason}). No script of this page sends your texts ` +
    "anywhere, but the browser would not stop one that did.";
});

if (typeof WebAssembly !== "object") {
  showStartError(REASONS.wasm);
} else {
  // In browsers with stack switching, Pyodide runs Python on a separate stack, and Chromium sometimes crashes when it
  // samples memory there. The page never suspends Python, so it runs on the main stack everywhere.
  for (const name of ["Suspending", "Suspender", "promising"]) delete WebAssembly[name];
  line.textContent = "Loading Python …";
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(onResource));
  observer.observe({ type: "resource", buffered: true });
  timer = setTimeout(() => showStartError(REASONS.late), TIMEOUT_MS);
  addEventListener("unhandledrejection", ({ reason }) => showStartError(`${REASONS.error} (${reason})`));
  const onDone = () => {
    showStartError(REASONS.error);
    page.dataset.done = "true";
  };
  addEventListener("py:done", () => setTimeout(onDone), true);
  for (const link of document.querySelectorAll("link"))
    link.addEventListener("error", () => onDownloadFailed(link.href));
  try {
    startCompiling();
    // Paint the worked example before Python blocks the main thread; a hidden tab paints nothing, hence the timeout.
    await new Promise((onPainted) => {
      requestAnimationFrame(() => setTimeout(onPainted));
      setTimeout(onPainted, 200);
    });
    const [{ hooks }] = await Promise.all([import("../pyscript/core.js"), import("./python.mjs")]);
    // PyScript prepares a worker with eval, which the policy blocks and the page does not need.
    hooks.worker.onBeforeRunAsync.clear();
    // Import the page before PyScript writes the sources of its own Python package, which the snapshot already has.
    hooks.main.onReady.add(({ interpreter }) => interpreter.pyimport("app.main").destroy());
  } catch (reason) {
    onDownloadFailed(reason);
  }
}
