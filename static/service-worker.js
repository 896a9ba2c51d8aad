// Keeps exactly the files of one build, and answers for no others. The build fills in these.
const BUILD = "@build@";
const FILES = { "@file@": "@digest@" };
const HEADERS = { "@header@": "@value@" };

const ROOT = new URL("./", self.location).href;
const OURS = `bleu ${ROOT} `;
const STORE = OURS + BUILD;
const WORKER = self.location.href;
const MARK = "OURS = `bleu ";
const PATIENCE = 10_000;

// Python takes too long to check before it is handed over: it is checked once the page is ready.
const LATER = "pyodide/pyodide.asm.wasm";

// Set once this worker removes itself; it still answers for the pages that it had.
let gone;

const address = (path) => new URL(path, ROOT).href;

async function digest(response) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const right = async (path, response) => (await digest(response)) === FILES[path];

// The page is stored with what it cannot say of itself, beside what its host said: added only as it is answered,
// that costs every visit some 30 ms.
function asPage(response) {
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  for (const [name, value] of Object.entries(HEADERS))
    name === "Content-Security-Policy" ? headers.append(name, value) : headers.set(name, value);
  return new Response(response.body, { headers });
}

// What the browser has already is taken, and asked for once more only if it is of another build. Nothing where
// the server answers with something else; an error where it does not answer, or says that it cannot.
async function fetched(path) {
  for (const cache of ["default", "reload"]) {
    const response = await fetch(address(path), { cache, credentials: "same-origin", redirect: "manual" });
    if (response.status >= 500) throw new Error(`${path}: the server answers ${response.status}`);
    if (response.ok && (await right(path, response.clone()))) return path === "./" ? asPage(response) : response;
  }
}

async function store() {
  try {
    const files = await caches.open(STORE);
    for (const path of Object.keys(FILES)) {
      const response = await fetched(path);
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

// The stored Response itself is handed over, unread, as V8 finds the code that it has kept for that one alone.
async function kept(path) {
  const files = await caches.open(STORE);
  const [stored, read] = await Promise.all([0, 1].map(() => files.match(address(path))));
  if (stored && (path === LATER || (await right(path, read)))) return stored;
  return mended(files, path);
}

// What is missing, or is not what was stored, comes from the network; only what is right is put back.
async function mended(files, path) {
  await files.delete(address(path));
  const response = await fetched(path);
  // where there is no room, the page opens all the same
  if (response) await files.put(address(path), response.clone()).catch(() => {});
  return response;
}

// With no store and no worker any more, the network answers alone.
function leave() {
  gone ??= caches
    .keys()
    .then((all) => Promise.all(all.filter((name) => name.startsWith(OURS)).map((name) => caches.delete(name))))
    .finally(() => self.registration.unregister());
  return gone;
}

async function answer(path, { request, clientId }) {
  const response = !gone && (await kept(path).catch(() => Response.error()));
  if (response) return response;
  // The store is not whole, and the server has another build: never two at once. The visit begins again without
  // this worker, as does a page that has begun already.
  await leave();
  if (request.mode === "navigate") return Response.redirect(request.url);
  (await self.clients.get(clientId))?.postMessage("gone");
  return Response.error();
}

// Another program may be served at this address by now, as on a port of one's own machine. Workers run over https
// or on this machine only, so none but the server answers: without this file, or with one that has not its mark, it
// is another's. That it cannot say so now, sends elsewhere or wants a password says nothing.
async function another() {
  const signal = AbortSignal.timeout(PATIENCE);
  const asked = { cache: "no-store", credentials: "same-origin", redirect: "error", signal };
  try {
    const response = await fetch(WORKER, asked);
    if (response.ok) return !(await response.text()).includes(MARK);
    return response.status === 404 || response.status === 410;
  } catch {
    return false;
  }
}

// What a request is for, if it is for a file of the build.
function named({ method = "GET", mode = "navigate", url }) {
  const wanted = new URL(url);
  wanted.hash = "";
  if (mode === "navigate") wanted.search = "";
  const path = wanted.href === address("index.html") ? "./" : wanted.href.replace(ROOT, "") || "./";
  return method === "GET" && Object.hasOwn(FILES, path) ? path : undefined;
}

// Other pages may live below this one: what they ask for is theirs. Pages of the build ask for nothing else, so they
// get nothing else: once sealed, their policy refuses all but a manifest, and that must not carry a text out.
async function passed({ request, clientId }) {
  const page = await self.clients.get(clientId);
  return page && !named({ url: page.url }) ? fetch(request) : Response.error();
}

self.addEventListener("install", (event) => event.waitUntil(store()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const path = named(event.request);
  if (path) event.respondWith(answer(path, event));
  else if (event.request.mode !== "navigate") event.respondWith(passed(event));
  // A visit to another page is the browser's own: where a sealed page may lead, its guard decides, not its worker.
  else event.waitUntil(another().then((theirs) => theirs && leave()));
});

// Every file of the store, held to its digest: which were changed, and which are missing still.
async function check() {
  const found = { changed: [], missing: [] };
  const files = await caches.open(STORE);
  for (const path of Object.keys(FILES)) {
    const stored = await files.match(address(path));
    if (stored && (await right(path, stored))) continue;
    if (stored) found.changed.push(path);
    if (!(await mended(files, path).catch(() => {}))) found.missing.push(path);
  }
  return found;
}

// A page of the build asks whether the server is still its own as soon as it is there, and says itself when it
// needs this worker no more: something may be typed in it.
async function hear({ data, source, ports }) {
  if (data === "take over") await self.skipWaiting();
  if (data === "look" && (await another())) source.postMessage("another");
  if (data === "leave") await leave().then(() => source.postMessage("gone"));
  if (data !== "check") return;
  // Chromium gives a worker that has left, and that another page still has, to a page that registers it anew.
  gone = undefined;
  ports[0].postMessage(await check());
}

self.addEventListener("message", (event) => event.waitUntil(hear(event)));
