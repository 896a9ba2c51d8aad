// In the page itself, and first: what says that the page cannot start must not wait for a file that may not come.
if (location.protocol === "file:") {
  // Opened as a file, a browser loads no modules: say what to do instead.
  document.addEventListener("DOMContentLoaded", () => {
    document.documentElement.dataset.failed = "true";
    document.getElementById("loading").innerHTML =
      "Opened as a file, this page cannot start Python: browsers load programs from a web server only. " +
      'Open <a href="bleu-calculator.html">bleu-calculator.html</a>, which lies beside it and is the whole page in ' +
      "one file; or run make serve. The worked example can be read all the same.";
  });
} else {
  // As long as nothing is done on this page, it may be loaded anew.
  let used = false;
  for (const kind of ["input", "keydown", "pointerdown", "drop"])
    document.addEventListener(kind, () => (used = true), { capture: true, once: true });

  // Whether the server has something else at this address now, the service worker finds out while the page starts:
  // then that is shown, without the worker.
  const workers = navigator.serviceWorker;
  workers?.addEventListener("message", ({ data, source }) => {
    if (used) return;
    if (data === "another") source.postMessage("leave");
    if (data === "gone") location.reload();
  });
  workers?.controller?.postMessage("look");

  // Once a minute at most, and never where that cannot be remembered.
  const MINUTE = 60_000;
  function again() {
    try {
      const last = Number(sessionStorage.getItem("bleu-again"));
      sessionStorage.setItem("bleu-again", `${Date.now()}`);
      return Date.now() - last > MINUTE;
    } catch {
      return false;
    }
  }

  // Chromium at times breaks off all that the service worker answers, as in one tab after another has taken a new
  // build over: the page is loaded once more, and marked. True where it is.
  const { dataset } = document.documentElement;
  globalThis.startAgain = () => {
    if (dataset.again) return true;
    if (used || !workers?.controller || !again()) return false;
    dataset.again = "true";
    location.reload();
    return true;
  };

  // A module that does not come cannot say so itself.
  const broken = ({ target }) => {
    const needed = target.type === "module" || target.rel === "preload";
    if (!needed || startAgain() || !target.dataset.wasm) return;
    dataset.failed = "true";
    document.getElementById("loading").textContent =
      `Python did not start: a file of the page could not be loaded (${target.src}). Reload the page. The worked ` +
      "example and the explanation can be read all the same.";
  };
  addEventListener("error", broken, true);
}
