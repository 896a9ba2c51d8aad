// Opened as a file, a browser loads no modules: say what to do instead.
if (location.protocol === "file:") {
  document.addEventListener("DOMContentLoaded", () => {
    document.documentElement.dataset.failed = "true";
    document.getElementById("loading").innerHTML =
      "Opened as a file, this page cannot start Python: browsers load programs from a web server only. " +
      'Open <a href="bleu-calculator.html">bleu-calculator.html</a>, which lies beside it and is the whole page in ' +
      "one file; or run make serve. The worked example can be read all the same.";
  });
}

// Where the module that starts Python does not come, or its visit broke off, nothing else could say so.
document.querySelector("script[data-wasm]").addEventListener("error", ({ target }) => {
  document.documentElement.dataset.failed = "true";
  document.getElementById("loading").textContent =
    `Python did not start: a file of the page could not be loaded (${target.src}). Reload the page. The worked ` +
    "example and the explanation can be read all the same.";
});

// Whether the server has something else at this address now, the service worker finds out while the page starts: as
// long as nothing is done here, that is shown, without the worker. In this file, as it must not wait for any module.
{
  const workers = navigator.serviceWorker;
  let used = false;
  for (const kind of ["input", "keydown", "pointerdown", "drop"])
    document.addEventListener(kind, () => (used = true), { capture: true, once: true });
  workers?.addEventListener("message", ({ data, source }) => {
    if (used) return;
    if (data === "another") source.postMessage("leave");
    if (data === "gone") location.reload();
  });
  workers?.controller?.postMessage("look");
}
