// What no policy refuses is refused here once the page is sealed: another realm or window, which would not have this
// guard; a link that is not the page's own; and what connects without asking a policy.

const { apply, defineProperty } = Reflect;
const { matches, getAttribute, getAttributeNS, removeAttributeNS } = Element.prototype;
const SEARCHES = [Element, Document, DocumentFragment].map((kind) => [kind, kind.prototype.querySelector]);
const typeOf = Object.getOwnPropertyDescriptor(Event.prototype, "type").get;
const XLINK = "http://www.w3.org/1999/xlink";

// Elements that bring a realm, connect, or lead away by themselves.
const NAMES = ["iframe", "frame", "frameset", "object", "embed", "fencedframe", "portal", "link", "meta", "base"];
const OUT = [...NAMES, ...["animate", "set"].map((name) => `${name}[attributeName$="href"]`)].join();
const MARKUP = new RegExp(`<(?:${NAMES.join("|")})[\\s/>]`, "i");
const HELD = [HTMLLinkElement, HTMLMetaElement, HTMLBaseElement];

const GONE = {
  Window: "RTCPeerConnection webkitRTCPeerConnection mozRTCPeerConnection WebTransport WebSocketStream fetchLater " +
    "PaymentRequest PresentationRequest documentPictureInPicture sharedStorage cookieStore XSLTProcessor " +
    "speechSynthesis",
  Navigator: "credentials presentation registerProtocolHandler",
  NavigationPreloadManager: "enable setHeaderValue",
  BackgroundFetchManager: "fetch",
  PushManager: "subscribe",
  Element: "setHTMLUnsafe",
  ShadowRoot: "setHTMLUnsafe",
};

function refuse() {
  throw new DOMException("This page is sealed and does not do that", "SecurityError");
}

// Puts another function in the place of one, or of the setter of a property; `make` gets the one before.
function replace(owner, names, make) {
  for (const name of names.split(" ")) {
    const found = owner && Object.getOwnPropertyDescriptor(owner, name);
    if (!found?.configurable) continue;
    const part = found.set ? "set" : "value";
    defineProperty(owner, name, { ...found, [part]: make(found[part]), configurable: false });
  }
}

// Refuses a call, or the setting of a property, where `wrong` says so of what it is given.
function hold(owner, names, wrong) {
  replace(owner?.prototype, names, (act) => function (...given) {
    if (wrong(this, ...given)) refuse();
    return apply(act, this, given);
  });
}

const always = () => true;
const isElement = (one) => one instanceof Element;
const within = (one) => SEARCHES.some(([kind, search]) => one instanceof kind && apply(search, one, [OUT]));
const foreign = (one) => (isElement(one) && apply(matches, one, [OUT])) || within(one);
const foreignMarkup = (text) => MARKUP.test(text);
const held = (one) => HELD.some((kind) => one instanceof kind);

// Where an element leads, in HTML, SVG and MathML; the address of SVG may change while it is shown.
function addresses(node) {
  const found = [apply(getAttribute, node, ["href"]), apply(getAttributeNS, node, [XLINK, "href"])];
  if (node instanceof SVGElement) found.push(node.href?.animVal);
  return found.filter((address) => typeof address === "string");
}

// The nodes that hear an event of this one.
function path(node) {
  const found = [];
  for (let one = node; one; one = one.assignedSlot ?? one.parentNode ?? one.host) found.push(one);
  return found;
}

// A file made here is handed over; Firefox tells of that a second time, without a request to download.
function saves({ destination, downloadRequest, sourceElement }) {
  return destination.url.startsWith("blob:") && Boolean(downloadRequest || sourceElement?.download);
}

// Where the page's own links lead, as they are now, and whether an element leads elsewhere.
const without = (address) => address.split("#")[0];
const whole = (address) => without(new URL(address, location).href);
const known = new Set();
const isFile = (node, address) => address.startsWith("blob:") && node instanceof HTMLAnchorElement && node.download;
function leadsAway(node, address) {
  try {
    return !known.has(whole(address)) && !isFile(node, address);
  } catch {
    return true; // no address
  }
}
const away = (node) => isElement(node) && addresses(node).some((address) => leadsAway(node, address));

// A strange link loses its address as soon as it is there.
function strip(node) {
  if (!isElement(node)) return;
  if (apply(matches, node, [OUT])) node.remove();
  else if (away(node)) for (const space of [null, XLINK]) apply(removeAttributeNS, node, [space, "href"]);
}
const observer = new MutationObserver((all) => {
  for (const { type, target, addedNodes, attributeName } of all) {
    if (type === "attributes" && attributeName.endsWith("href")) strip(target);
    for (const node of addedNodes) {
      strip(node);
      if (isElement(node)) node.querySelectorAll(`[*|href], ${OUT}`).forEach(strip);
    }
  }
});
const look = (root) => observer.observe(root, { subtree: true, childList: true, attributes: true });

function removeWhatAsksNoPolicy() {
  for (const [name, gone] of Object.entries(GONE)) {
    const owner = name === "Window" ? globalThis : globalThis[name]?.prototype;
    for (const one of gone.split(" ")) if (owner) delete owner[one];
  }
  delete Document.parseHTMLUnsafe;
  globalThis.opener = null;
}

// Nothing that has a realm is put into the page: as a node, as markup, or as what is parsed.
function holdRealms() {
  const nodes = (_, ...given) => given.some(foreign);
  hold(Node, "appendChild insertBefore replaceChild", nodes);
  for (const kind of [Element, Document, DocumentFragment, CharacterData, DocumentType])
    hold(kind, "append prepend before after replaceWith replaceChildren moveBefore insertAdjacentElement body", nodes);
  hold(Range, "insertNode surroundContents", nodes);
  hold(Element, "innerHTML outerHTML", (_, text) => foreignMarkup(text));
  hold(ShadowRoot, "innerHTML", (_, text) => foreignMarkup(text));
  hold(Element, "insertAdjacentHTML", (_, _place, text) => foreignMarkup(text));
  hold(Document, "execCommand", (_, name, _shown, text) => /^insertHTML$/i.test(name) && foreignMarkup(text));
  hold(Document, "open write writeln", always);
  const parsed = (act) => function (...given) {
    const found = apply(act, this, given);
    return foreign(found) ? refuse() : found;
  };
  replace(DOMParser.prototype, "parseFromString", parsed);
  replace(Range.prototype, "createContextualFragment", parsed);
  // every tree can be looked into
  replace(Element.prototype, "attachShadow", (act) => function (given) {
    const root = apply(act, this, [{ ...given, mode: "open" }]);
    look(root);
    return root;
  });
}

// Elements of the head that connect stay as they are.
function holdHead() {
  for (const { prototype } of HELD)
    for (const [name, { set }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (set) replace(prototype, name, () => refuse);
  hold(Element, "setAttribute setAttributeNS toggleAttribute", held);
  hold(Element, "setAttributeNode setAttributeNodeNS", always);
  hold(NamedNodeMap, "setNamedItem setNamedItemNS", always);
  const value = (one) => one instanceof Attr && held(one.ownerElement);
  hold(Attr, "value", value);
  hold(Node, "nodeValue textContent", value);
}

// By a click, a form, another address or another window, of a person or of a script.
function holdWaysAway() {
  const stop = (event) => event.composedPath().some(away) && event.preventDefault();
  for (const kind of ["click", "auxclick"]) addEventListener(kind, stop, true);
  hold(HTMLElement, "click", (one) => path(one).some(away));
  const isClick = (event) => /click$/.test(apply(typeOf, event, []));
  hold(EventTarget, "dispatchEvent", (one, event) => isClick(event) && one instanceof Node && path(one).some(away));
  addEventListener("submit", (event) => event.preventDefault(), true);
  hold(HTMLFormElement, "submit requestSubmit", always);
  globalThis.navigation?.addEventListener("navigate", (event) => {
    const leaves = !event.hashChange && event.navigationType !== "reload" && !saves(event);
    const chosen = event.userInitiated && known.has(without(event.destination.url));
    if (leaves && event.cancelable && !chosen) event.preventDefault();
  });
  defineProperty(globalThis, "open", { value: () => null });
}

// The page's own server hears of no text either.
function holdOwnServer() {
  const changes = (address) => address !== undefined && address !== null && whole(address) !== without(location.href);
  hold(History, "pushState replaceState", (_, _state, _title, address) => changes(address));
  defineProperty(Document.prototype, "cookie", { get: () => "", set: () => {} });
}

function guard() {
  for (const address of [location.href, ...[...document.links].map((link) => link.href)]) known.add(without(address));
  removeWhatAsksNoPolicy();
  holdRealms();
  holdHead();
  holdWaysAway();
  holdOwnServer();
  look(document);
}

export { guard };
