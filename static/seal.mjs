// Once Python is ready: stores the page for use without a network, then closes the network.

const page = document.documentElement;
const line = document.getElementById("seal");
const update = document.getElementById("update");

const CLOSED = [
  "default-src 'none'",
  "script-src 'wasm-unsafe-eval'",
  "img-src data:",
  ...["connect", "style", "font", "media", "object", "frame", "worker"].map((kind) => `${kind}-src 'none'`),
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

function ready() {
  if (page.dataset.ready) return Promise.resolve();
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!page.dataset.ready) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(page, { attributeFilter: ["data-ready"] });
  });
}

function settled(worker) {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error("a file could not be stored"));
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

// A new build waits until someone says so; then this page is loaded anew, from that build alone.
function offer(worker) {
  update.hidden = false;
  document.getElementById("take-over").addEventListener("click", () => {
    document.dispatchEvent(new Event("bleu:keep"));
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    worker.postMessage("take over");
  });
}

function watch(registration) {
  if (registration.waiting) offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker.addEventListener("statechange", () => {
      if (worker.state === "installed" && navigator.serviceWorker.controller) offer(worker);
    });
  });
}

async function store() {
  if (!navigator.serviceWorker) throw new Error("this browser keeps no service worker here");
  const registration = await navigator.serviceWorker.register("service-worker.js");
  watch(registration);
  if (!registration.active) await settled(registration.installing ?? registration.waiting);
}

// A file made here is handed over; Firefox tells of that a second time, without a request to download.
function saves({ destination, downloadRequest, sourceElement }) {
  return destination.url.startsWith("blob:") && Boolean(downloadRequest || sourceElement?.download);
}

// What a policy cannot refuse: going elsewhere with a text in the address, and peer connections.
function guard() {
  const known = new Set([...document.links].map((link) => link.href.split("#")[0]));
  const allowed = (address) => known.has(new URL(address, location).href.split("#")[0]) || address.startsWith("blob:");
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href], area[href]");
    if (link && !allowed(link.href)) event.preventDefault();
  }, true);
  globalThis.navigation?.addEventListener("navigate", (event) => {
    const leaves = !event.hashChange && event.navigationType !== "reload" && !saves(event);
    if (leaves && event.cancelable && !(event.userInitiated && allowed(event.destination.url))) event.preventDefault();
  });
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete globalThis[name];
  globalThis.open = () => null;
}

function close() {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = CLOSED;
  document.head.append(policy);
  guard();
  page.dataset.sealed = "true";
}

await ready();
line.textContent = "Not sealed yet: the page is being stored on this device …";
const SEALED = "Sealed: the browser now refuses every connection from this page";
const GAP = globalThis.navigation
  ? ""
  : " It cannot be told to refuse that a script opens another address in this tab; no script of this page does.";
try {
  await store();
  close();
  line.textContent = `${SEALED}, and opens it without a network.${GAP}`;
} catch (reason) {
  close();
  line.textContent = `${SEALED}. It is not stored for use without a network: ${reason.message}.${GAP}`;
}
