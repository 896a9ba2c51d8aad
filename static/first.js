// Shows the texts of a link, and reports a failed start; inlined in both pages, so that it works without other files.

// Reading these throws in a frame without an origin (sandbox, data:) and where the browser blocks storage: then the page
// does without them. The other kinds of storage stay, because Pyodide recognises a browser by sessionStorage.
for (const [owner, object, name] of [
  [Navigator.prototype, navigator, "serviceWorker"],
  [globalThis, globalThis, "caches"],
])
  try {
    object[name];
  } catch {
    delete owner[name];
  }

// Until Python is ready, the page shows the worked example, whose result is never shown with the texts of a link.
const link = new URLSearchParams(location.hash.slice(1));
if (link.has("hypothesis")) {
  document.documentElement.dataset.stale = "link";
  document.addEventListener("DOMContentLoaded", () => {
    // as default values, because those are no edits
    document.getElementById("hypothesis").defaultValue = link.get("hypothesis");
    document.getElementById("reference-1").defaultValue = link.get("reference") ?? "";
  });
}

// In a frame of another page, only the result and the texts are shown (embed=1), and nothing takes the focus or is stored.
if (link.get("embed") === "1") document.documentElement.dataset.embed = "1";
if (parent !== window) document.documentElement.dataset.framed = "1";

if (location.protocol === "file:" && !("oneFile" in document.documentElement.dataset)) {
  // Browsers load no modules from disk.
  document.addEventListener("DOMContentLoaded", () => {
    document.documentElement.dataset.failed = "true";
    document.getElementById("loading").innerHTML =
      "Opened as a file, this page cannot start Python: browsers load programs from a web server only. " +
      'Open <a href="bleu-calculator.html">bleu-calculator.html</a>, which lies beside it and is the whole page in ' +
      "one file; or run make serve. The worked example can be read all the same.";
  });
} else {
  // The page may reload itself only before the first interaction.
  let hasInteracted = false;
  for (const kind of ["input", "keydown", "pointerdown", "drop"])
    document.addEventListener(kind, () => (hasInteracted = true), { capture: true, once: true });

  // Ask the service worker whether the server has something else at this address by now; if so, remove the worker
  // and reload from the server.
  const workers = navigator.serviceWorker;
  workers?.addEventListener("message", ({ data, source }) => {
    if (hasInteracted) return;
    if (data === "another") source.postMessage("leave");
    if (data === "gone") location.reload();
  });
  workers?.controller?.postMessage("look");

  // At most one reload per minute, and none if session storage is blocked.
  const MINUTE = 60_000;
  function mayReload() {
    try {
      const last = Number(sessionStorage.getItem("bleu-again"));
      sessionStorage.setItem("bleu-again", `${Date.now()}`);
      return Date.now() - last > MINUTE;
    } catch {
      return false;
    }
  }

  // Chromium sometimes aborts all responses of the service worker while several tabs update to a new build: reload
  // once. Returns whether the page reloads. A sealed page refuses what still loads after a failed start.
  const { dataset } = document.documentElement;
  globalThis.startAgain = () => {
    if (dataset.again) return true;
    if (hasInteracted || dataset.sealed || !workers?.controller || !mayReload()) return false;
    dataset.again = "true";
    location.reload();
    return true;
  };

  // A module that fails to load cannot report that itself.
  const onScriptError = ({ target }) => {
    const isNeeded = target.type === "module" || target.rel === "preload";
    if (!isNeeded || startAgain() || !target.dataset.wasm) return;
    dataset.failed = "true";
    document.getElementById("loading").textContent =
      `Python did not start: a file of the page could not be loaded (${target.src}). Reload the page. The worked ` +
      "example and the explanation can be read all the same.";
  };
  addEventListener("error", onScriptError, true);
}
