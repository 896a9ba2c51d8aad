// Python's memory as it is when the library is imported and nothing of the page has been read: kept on this device
// at the first visit, and taken at the next, which then need not start Python from the beginning.
const page = document.documentElement;
const ROOT = new URL("../", import.meta.url).href;
// The service worker's store, which goes with its build.
const STORE = `bleu ${ROOT} ${page.dataset.build}`;
const NAME = `${ROOT}memory`;
const BROWSER = "made-in";
const DIGEST = "sha-256";
const LENGTH = "length";
const STARTING = "bleu:starting";
const PART = 4096;

let made;

// What is freed still holds what was there: it is taken once more, emptied, and freed. A block from near the end is
// of memory that was never used; to ask for more would make the memory grow.
function empty(module) {
  const { _malloc, _free } = module;
  const end = module.HEAPU8.length - (1 << 21);
  const blocks = [];
  for (let size = 1 << 16; size >= 16; size /= 2)
    for (let block = _malloc(size); block; block = block < end && _malloc(size)) {
      blocks.push(block);
      if (block < end) module.HEAPU8.fill(0, block, block + size);
    }
  blocks.forEach((block) => _free(block));
}

// Much of the memory is empty. Kept are how many parts are not, where they lie, and they themselves.
function packed(memory) {
  const words = new Uint32Array(memory.buffer);
  const starts = [];
  for (let start = 0; start < memory.length; start += PART)
    if (words.subarray(start / 4, (start + PART) / 4).some(Boolean)) starts.push(start);
  const parts = starts.map((start) => memory.subarray(start, start + PART));
  return new Blob([new Uint32Array([starts.length, ...starts]), ...parts]).arrayBuffer();
}

function unpack(buffer, memory) {
  const [count] = new Uint32Array(buffer, 0, 1);
  let from = 4 + 4 * count;
  for (const start of new Uint32Array(buffer, 4, count)) {
    const part = new Uint8Array(buffer, from, Math.min(PART, memory.length - start));
    memory.set(part, start);
    from += part.length;
  }
}

async function digest(buffer) {
  return `${new Uint8Array(await crypto.subtle.digest("SHA-256", buffer))}`;
}

// After a start in this tab that did not come to its end, whatever the reason, Python starts from the beginning.
async function found() {
  if (sessionStorage.getItem(STARTING)) return undefined;
  sessionStorage.setItem(STARTING, "true");
  const response = await caches.match(NAME, { cacheName: STORE });
  if (response?.headers.get(BROWSER) !== navigator.userAgent) return undefined;
  const memory = new Uint8Array(response.headers.get(LENGTH));
  const reading = read(response, memory);
  // whoever waits for it hears of it, and nobody else
  reading.catch(() => undefined);
  return { memory, reading };
}

async function read(response, memory) {
  const buffer = await response.arrayBuffer();
  if ((await digest(buffer)) !== response.headers.get(DIGEST)) throw new Error("it is not what was kept");
  unpack(buffer, memory);
}

// Where nothing can be stored, nothing is. It is found long before it is read.
export const kept = found().catch(() => undefined);

export function keep(python) {
  if (!navigator.serviceWorker) return;
  empty(python._module);
  // As an option of the start, this would put a recorder round all that Python takes from the page.
  python._api.config._makeSnapshot = true;
  made = python.makeMemorySnapshot();
}

// The start has come to its end.
export async function store() {
  sessionStorage.removeItem(STARTING);
  if (!made || !(await caches.has(STORE))) return;
  const buffer = await packed(made);
  const headers = { [BROWSER]: navigator.userAgent, [LENGTH]: made.length, [DIGEST]: await digest(buffer) };
  made = undefined;
  const files = await caches.open(STORE);
  await files.put(NAME, new Response(buffer, { headers }));
}

export async function forget() {
  if (await globalThis.caches?.has(STORE)) await (await caches.open(STORE)).delete(NAME);
}
