// Once Python is ready: stores the page for use without a network, then closes the network; and checks the store.

import { guard } from "./guard.mjs";

const page = document.documentElement;
const line = document.getElementById("seal");
const update = document.getElementById("update");

const workers = navigator.serviceWorker;
const PATIENCE = 15_000;
const ELSEWHERE = "the server has another page, or another version of this one, at this address now";

const CLOSED = [
  "default-src 'none'",
  "script-src 'wasm-unsafe-eval'",
  "img-src data:",
  "font-src data:",
  ...["connect", "style", "media", "object", "frame", "worker"].map((kind) => `${kind}-src 'none'`),
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

// A mark that the page gets.
function marked(name) {
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
    if (!keepTexts("bleu-once")) {
      document.getElementById("texts-stay").textContent =
        "Your texts are too long to be kept: copy them, empty the boxes, and press again.";
      return;
    }
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      keepTexts("bleu-once");
      location.reload();
    });
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
  if (!workers) throw new Error("this browser keeps no service worker here");
  if (elsewhere) throw new Error(ELSEWHERE);
  const registration = await workers.register("service-worker.js");
  watch(registration);
  if (!registration.active) await settled(registration.installing ?? registration.waiting);
  return registration.active;
}

// Storing goes on where it takes long; the seal does not wait for it. After each file, the worker says so.
function stalled() {
  return new Promise((resolve) => {
    let timer = setTimeout(resolve, PATIENCE, true);
    workers?.addEventListener("message", ({ data }) => {
      if (data !== "stored") return;
      clearTimeout(timer);
      timer = setTimeout(resolve, PATIENCE, true);
    });
  });
}

// The worker holds every stored file to its digest, and tells what was not right.
function checked(worker) {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage("check", [port2]);
  return new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
}

function doubt({ changed, missing }) {
  const lost = changed.some((file) => missing.includes(file));
  const rest = lost ? "is removed: reload the page once its server answers" : "has been replaced: reload the page";
  const files = `${changed.join(" and ")} ${changed.length > 1 ? "were" : "was"}`;
  return `Do not trust this page: ${files} changed after being stored. What was changed ${rest}.`;
}

function close() {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = CLOSED;
  document.head.append(policy);
  guard();
  page.dataset.sealed = "true";
}

// What is known to be left is said, and "every connection" where nothing is.
const GAPS = [];
if (!globalThis.navigation)
  GAPS.push("One way is left: no page can make this browser stop a script from opening another address in this tab.");
if (self !== top) GAPS.push("One way is left: a script could hand a text to the page around this one.");
if (GAPS.length) GAPS.push("No script of this page does so.");
const SEALED = `Sealed: the browser now refuses ${GAPS.length ? "this page’s connections" : "every connection from this page"}`;
const UNSTORED = "It is not stored for use without a network";
const say = (words) => (line.textContent = [`${SEALED}${words}`, ...GAPS].join(" "));

// The worker has found something else at this address, and waits to be sent away.
let elsewhere = false;
workers?.addEventListener("message", ({ data, source }) => {
  if (data !== "another" && data !== "gone") return;
  elsewhere = true;
  if (!page.dataset.sealed) return;
  say(`. ${UNSTORED}: ${ELSEWHERE}.`);
  if (data === "another") source.postMessage("leave");
});

// Where Python does not start, what was stored may be the reason.
marked("failed").then(async () => {
  const found = workers?.controller && !elsewhere && (await checked(workers.controller));
  if (found?.changed.length) line.textContent = doubt(found);
});

// In one file there is nothing to store, and the policy has been closed from the first byte.
const FIREFOX_FILE =
  " In Firefox, a page opened as a file could read its own file again; it cannot reach the network.";
if (page.dataset.oneFile !== undefined) {
  guard();
  page.dataset.sealed = "true";
  say(`, and has done so from the first byte.${navigator.userAgent.includes("Firefox") ? FIREFOX_FILE : ""}`);
} else {
  await storeAndSeal();
}

async function storeAndSeal() {
  await marked("ready");
  line.textContent = "Not sealed yet: the page is being stored on this device …";
  const storing = store();
  const late = await Promise.race([storing.then(() => false, () => false), stalled()]);
  close();
  if (late) say(`. ${UNSTORED} yet: a file is slow to arrive.`);
  try {
    const worker = await storing;
    if (elsewhere) throw new Error(ELSEWHERE);
    say(". The page now opens without a network.");
    const { changed, missing } = await checked(worker);
    if (elsewhere) throw new Error(ELSEWHERE);
    if (changed.length) line.textContent = doubt({ changed, missing });
    else if (missing.length) say(`. Not all of it is stored: ${missing.join(" and ")} could not be fetched.`);
    else say(". The page now opens without a network; every file was checked.");
  } catch (reason) {
    say(`. ${UNSTORED}: ${reason.message}.`);
    if (elsewhere) workers.controller.postMessage("leave");
  }
}
