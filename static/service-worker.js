// Keeps exactly the files of one build, and answers from nothing else. The build fills in both.
const BUILD = "@build@";
const FILES = { "@file@": "@digest@" };

const ROOT = new URL("./", self.location).href;
const OURS = `bleu ${ROOT} `;
const STORE = OURS + BUILD;

async function digest(response) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What the browser has already is taken, and asked for once more only if it is of another build.
async function fetched(path) {
  for (const cache of ["default", "reload"]) {
    const response = await fetch(new URL(path, ROOT), { cache, credentials: "same-origin" });
    if (response.ok && !response.redirected && (await digest(response.clone())) === FILES[path]) return response;
  }
  throw new Error(`${path} is not the file of this build`);
}

async function store() {
  try {
    const files = await caches.open(STORE);
    for (const path of Object.keys(FILES)) await files.put(new URL(path, ROOT), await fetched(path));
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

async function answer(request) {
  const url = new URL(request.url);
  url.hash = "";
  if (request.mode === "navigate") url.search = "";
  const name = url.href === `${ROOT}index.html` ? ROOT : url.href;
  const files = await caches.open(STORE);
  return (request.method === "GET" && (await files.match(name))) || Response.error();
}

self.addEventListener("install", (event) => event.waitUntil(store()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => event.respondWith(answer(event.request)));
self.addEventListener("message", ({ data }) => data === "take over" && self.skipWaiting());
