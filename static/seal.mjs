// When Python is ready: stores the page for offline use, blocks all connections, and verifies what was stored.

import { guard } from "./guard.mjs";

const page = document.documentElement;
const sealLine = document.getElementById("seal");
const loadingLine = document.getElementById("loading");
const OFFLINE = "Runs offline on your device";
const update = document.getElementById("update");

const workers = navigator.serviceWorker;
const TIMEOUT_MS = 15_000;
const MOVED_REASON = "the server has another page, or another version of this one, at this address now";

const CLOSED_POLICY = [
  "default-src 'none'",
  "script-src 'wasm-unsafe-eval'",
  "img-src data:",
  "font-src data:",
  ...["connect", "style", "media", "object", "frame", "worker"].map((kind) => `${kind}-src 'none'`),
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

// Waits until the page has the attribute data-NAME.
function waitForFlag(name) {
  if (page.dataset[name]) return Promise.resolve();
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!page.dataset[name]) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(page, { attributeFilter: [`data-${name}`] });
  });
}

function waitUntilActivated(worker) {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error("a file could not be stored"));
    };
    worker.addEventListener("statechange", check);
    check();
  });
}

// A new build waits until the user accepts it; then the page is reloaded, with all files from that build.
function offerUpdate(worker) {
  update.hidden = false;
  document.getElementById("take-over").addEventListener("click", () => {
    const fault = keepTexts("bleu-once");
    if (fault) {
      document.getElementById("texts-stay").textContent =
        `Your texts cannot be kept, because ${fault}: copy them, then close every tab with this page and open it again.`;
      return;
    }
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      keepTexts("bleu-once");
      location.reload();
    });
    worker.postMessage("take over");
  });
}

function watchForUpdates(registration) {
  if (registration.active && registration.waiting) offerUpdate(registration.waiting); // the first build may wait, too
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker.addEventListener("statechange", () => {
      if (worker.state === "installed" && navigator.serviceWorker.controller) offerUpdate(worker);
    });
  });
}

async function registerWorker() {
  if (!workers) throw new Error("this browser keeps no service worker here");
  if (hasMoved) throw new Error(MOVED_REASON);
  const registration = await workers.register("service-worker.js");
  watchForUpdates(registration);
  if (!registration.active) await waitUntilActivated(registration.installing ?? registration.waiting);
  return registration.active;
}

// Resolves to true if no file has been stored for 15 seconds: the seal does not wait for a slow download.
function waitUntilStalled() {
  return new Promise((resolve) => {
    let timer = setTimeout(resolve, TIMEOUT_MS, true);
    workers?.addEventListener("message", ({ data }) => {
      if (data !== "stored") return;
      clearTimeout(timer);
      timer = setTimeout(resolve, TIMEOUT_MS, true);
    });
  });
}

// Asks the worker to compare every stored file with its digest; resolves to the changed and the missing ones.
function verifyStore(worker) {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage("check", [port2]);
  return new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
}

function tamperingWarning({ changed, missing }) {
  const isLost = changed.some((file) => missing.includes(file));
  const outcome = isLost ? "is removed: reload the page once its server answers" : "has been replaced: reload the page";
  document.getElementById("state").open = true;
  const files = `${changed.join(" and ")} ${changed.length > 1 ? "were" : "was"}`;
  return `Do not trust this page: ${files} changed after being stored. What was changed ${outcome}.`;
}

// The guard comes first, because it creates the policy of Trusted Types that the closing policy then requires.
function sealPage() {
  if (page.dataset.sealed) return;
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = CLOSED_POLICY;
  guard();
  document.head.append(policy);
  page.dataset.sealed = "true";
}

// In a frame the page is not stored, because browsers give each site that frames it a store of its own. Before it is
// sealed, the page around it is told one number, so that it can fit the height of the frame; later it is told nothing.
function sealFrame() {
  parent.postMessage({ bleuHeight: document.body.scrollHeight }, "*");
  sealPage();
  globalThis.postMessage = () => {}; // reveal.js calls it in a frame of its own address, and would stop without it
  loadingLine.textContent = "Runs on your device";
  setStatus(`. ${UNSTORED}, because it is part of another page, which was told its height and nothing else.`);
}

// README.md and app/README.md say the same.
const MODEL = globalThis.trustedTypes
  ? "nothing in a pasted text can send it anywhere. The browser, its extensions and its translator can. So could a " +
    "script that somebody added to the page’s files"
  : "the browser now refuses this page’s connections, but it does not check the markup that a script inserts";
const UNSTORED = "It is not stored for use without a network";
const setStatus = (text) => (sealLine.textContent = `Sealed: ${MODEL}${text}`);

// Set when the worker reports that the server has something else at this address; the worker then waits for "leave".
let hasMoved = false;
workers?.addEventListener("message", ({ data, source }) => {
  if (data !== "another" && data !== "gone") return;
  hasMoved = true;
  if (!page.dataset.sealed) return;
  loadingLine.textContent = "Runs on your device";
  setStatus(`. ${UNSTORED}: ${MOVED_REASON}.`);
  if (data === "another") source.postMessage("leave");
});

// After a failed start, too, nothing may leave. A late start may still succeed, so the page is not sealed then.
waitForFlag("failed").then(async () => {
  if (page.dataset.failed === "late") return;
  sealPage();
  setStatus(".");
  // a changed file in the store may be the cause
  const faults = workers?.controller && !hasMoved && (await verifyStore(workers.controller));
  if (faults?.changed.length) sealLine.textContent = tamperingWarning(faults);
});

// PyScript has finished starting, and the page has its first result: PyScript itself cannot start on a sealed page.
await Promise.all(["ready", "done"].map(waitForFlag));
// The page in one file has nothing to store, and its own policy has refused requests from the first byte.
const FIREFOX_FILE =
  " In Firefox, a page opened as a file could read its own file again; it cannot reach the network.";
if (page.dataset.framed) {
  sealFrame();
} else if (page.dataset.oneFile === undefined) {
  await storeAndSeal();
} else {
  sealPage();
  loadingLine.textContent = OFFLINE;
  const inFirefox = navigator.userAgent.includes("Firefox") ? FIREFOX_FILE : "";
  setStatus(`. The browser has refused every request from the first byte.${inFirefox}`);
}

async function storeAndSeal() {
  sealLine.textContent = "Not sealed yet: the page is being stored on this device …";
  const registration = registerWorker();
  const isStalled = await Promise.race([registration.then(() => false, () => false), waitUntilStalled()]);
  sealPage();
  if (isStalled) setStatus(`. ${UNSTORED} yet: a file is slow to arrive.`);
  try {
    const worker = await registration;
    if (hasMoved) throw new Error(MOVED_REASON);
    setStatus(". The page now opens without a network.");
    loadingLine.textContent = OFFLINE;
    const { changed, missing } = await verifyStore(worker);
    if (hasMoved) throw new Error(MOVED_REASON);
    if (changed.length || missing.length) loadingLine.textContent = "Runs on your device";
    if (changed.length) sealLine.textContent = tamperingWarning({ changed, missing });
    else if (missing.length) setStatus(`. Not all of it is stored: ${missing.join(" and ")} could not be fetched.`);
    else setStatus(". The page now opens without a network; every file was checked.");
  } catch (reason) {
    setStatus(`. ${UNSTORED}: ${reason.message}.`);
    if (hasMoved) workers.controller.postMessage("leave");
  }
}
