// Opened as a file, a browser loads no modules: say what to do instead.
if (location.protocol === "file:") {
  document.addEventListener("DOMContentLoaded", () => {
    document.documentElement.dataset.failed = "true";
    document.getElementById("loading").textContent =
      "Opened as a file, this page cannot start Python: browsers load programs from a web server only. " +
      "Run make serve, or put the folder on any web server. The worked example can be read all the same.";
  });
}
