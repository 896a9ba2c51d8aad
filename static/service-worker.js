// Stores exactly the files of one build, and answers only for them. The build fills in these three constants.
const BUILD = "@build@";
const FILES = { "@file@": "@digest@" };
const HEADERS = { "@header@": "@value@" };

const ROOT = new URL("./", self.location).href;
const OURS = `bleu ${ROOT} `;
const STORE = OURS + BUILD;
const WORKER = self.location.href;
// Every version of this file has this text, by which isForeignServer recognises it.
const MARK = "OURS = `bleu ";
const TIMEOUT_MS = 10_000;

// Verifying this file takes too long for the start; the page asks for it when it is ready.
const VERIFIED_LATER = "pyodide/pyodide.asm.wasm";

// Set to a promise when this worker begins to remove itself; it still answers for the pages that it controls.
let leaving;

const address = (path) => new URL(path, ROOT).href;

async function digest(response) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const matchesDigest = async (path, response) => (await digest(response)) === FILES[path];

// Adds the headers that a page cannot set itself to those of the host. Done before storing, because doing it at each
// visit takes some 30 ms.
function withHeaders(response) {
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  for (const [name, value] of Object.entries(HEADERS))
    name === "Content-Security-Policy" ? headers.append(name, value) : headers.set(name, value);
  return new Response(response.body, { headers });
}

// Fetches a file of this build, from the browser's cache if possible. Returns undefined if the server has another
// file; throws if the server does not answer or reports an error.
async function fetchVerified(path) {
  for (const cache of ["default", "reload"]) {
    const response = await fetch(address(path), { cache, credentials: "same-origin", redirect: "manual" });
    if (response.status >= 500) throw new Error(`${path}: the server answers ${response.status}`);
    if (response.ok && (await matchesDigest(path, response.clone())))
      return path === "./" ? withHeaders(response) : response;
  }
}

async function store() {
  try {
    const files = await caches.open(STORE);
    for (const path of Object.keys(FILES)) {
      const response = await fetchVerified(path);
      if (!response) throw new Error(`${path} is not the file of this build`);
      await files.put(address(path), response);
      const pages = await self.clients.matchAll({ includeUncontrolled: true });
      for (const page of pages) page.postMessage("stored");
    }
  } catch (reason) {
    await caches.delete(STORE);
    throw reason;
  }
}

async function takeOver() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== STORE);
  await Promise.all(old.map((name) => caches.delete(name)));
  if (!old.length) await self.clients.claim();
}

// Returns the stored Response unread, because V8 finds its cached machine code only for that object; the digest is
// computed from a second copy.
async function fromStore(path) {
  const files = await caches.open(STORE);
  const [stored, copy] = await Promise.all([0, 1].map(() => files.match(address(path))));
  if (stored && (path === VERIFIED_LATER || (await matchesDigest(path, copy)))) return stored;
  return repair(files, path);
}

// Refetches a missing or corrupted file, and stores it only if its digest matches.
async function repair(files, path) {
  await files.delete(address(path));
  const response = await fetchVerified(path);
  // if the storage quota is exceeded, the page still opens
  if (response) await files.put(address(path), response.clone()).catch(() => {});
  return response;
}

// Deletes the store and unregisters this worker, so that only the network answers.
function removeWorker() {
  leaving ??= caches
    .keys()
    .then((all) => Promise.all(all.filter((name) => name.startsWith(OURS)).map((name) => caches.delete(name))))
    .finally(() => self.registration.unregister());
  return leaving;
}

async function answer(path, { request, clientId }) {
  const response = !leaving && (await fromStore(path).catch(() => Response.error()));
  if (response) return response;
  // The store is incomplete and the server has another build. Never mix two: start the visit again without this
  // worker, and tell a page that has already started.
  await removeWorker();
  if (request.mode === "navigate") return Response.redirect(request.url);
  (await self.clients.get(clientId))?.postMessage("gone");
  return Response.error();
}

// Returns whether another program is now served at this address, as on a port of the user's own machine: then this
// worker's file is missing or lacks the mark. Workers need https or localhost, so only the server itself can answer.
// An error, a redirect or a password prompt proves nothing.
async function isForeignServer() {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const options = { cache: "no-store", credentials: "same-origin", redirect: "error", signal };
  try {
    const response = await fetch(WORKER, options);
    if (response.ok) return !(await response.text()).includes(MARK);
    return response.status === 404 || response.status === 410;
  } catch {
    return false;
  }
}

// Returns the path of the build's file that a request is for, or undefined.
function buildPath({ method = "GET", mode = "navigate", url }) {
  const target = new URL(url);
  target.hash = "";
  if (mode === "navigate") target.search = "";
  const path = target.href === address("index.html") ? "./" : target.href.replace(ROOT, "") || "./";
  return method === "GET" && Object.hasOwn(FILES, path) ? path : undefined;
}

// Pages of other projects below this folder may fetch anything. The build's own page fetches nothing else: once it is
// sealed, its policy allows only a manifest, whose address must not carry a text away.
async function passThrough({ request, clientId }) {
  const page = await self.clients.get(clientId);
  return page && !buildPath({ url: page.url }) ? fetch(request) : Response.error();
}

self.addEventListener("install", (event) => event.waitUntil(store()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const path = buildPath(event.request);
  if (path) event.respondWith(answer(path, event));
  else if (event.request.mode !== "navigate") event.respondWith(passThrough(event));
  // The browser handles navigation to other pages; for a sealed page, its guard decides about that, not its worker.
  else event.waitUntil(isForeignServer().then((isForeign) => isForeign && removeWorker()));
});

// Compares every stored file with its digest; returns which were changed, and which are still missing.
async function verifyAndRepairAll() {
  const faults = { changed: [], missing: [] };
  const files = await caches.open(STORE);
  for (const path of Object.keys(FILES)) {
    const stored = await files.match(address(path));
    if (stored && (await matchesDigest(path, stored))) continue;
    if (stored) faults.changed.push(path);
    if (!(await repair(files, path).catch(() => {}))) faults.missing.push(path);
  }
  return faults;
}

// The page asks at its start whether the server is still its own ("look"), and decides itself when to remove this
// worker ("leave"), because the user may have typed something.
async function onMessage({ data, source, ports }) {
  if (data === "take over") await self.skipWaiting();
  if (data === "look" && (await isForeignServer())) source.postMessage("another");
  if (data === "leave") await removeWorker().then(() => source.postMessage("gone"));
  if (data !== "check") return;
  // Chromium revives an unregistered worker that another page still uses when a page registers it again.
  leaving = undefined;
  ports[0].postMessage(await verifyAndRepairAll());
}

self.addEventListener("message", (event) => event.waitUntil(onMessage(event)));
