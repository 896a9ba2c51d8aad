// Blocks what no content security policy can, once the page is sealed. That is: other realms and windows, which would
// not have this guard; links that the page did not have; and APIs that connect without asking a policy.

const { apply, defineProperty } = Reflect;
const { matches, getAttribute, getAttributeNS, removeAttributeNS } = Element.prototype;
const SEARCHES = [Element, Document, DocumentFragment].map((kind) => [kind, kind.prototype.querySelector]);
const typeOf = Object.getOwnPropertyDescriptor(Event.prototype, "type").get;
const XLINK = "http://www.w3.org/1999/xlink";

// Elements that create a realm, connect, or navigate by themselves.
const NAMES = ["iframe", "frame", "frameset", "object", "embed", "fencedframe", "portal", "link", "meta", "base"];
const FORBIDDEN = [...NAMES, ...["animate", "set"].map((name) => `${name}[attributeName$="href"]`)].join();
const MARKUP = new RegExp(`<(?:${NAMES.join("|")})[\\s/>]`, "i");
const CONNECTING_ELEMENTS = [HTMLLinkElement, HTMLMetaElement, HTMLBaseElement];

const REMOVED_APIS = {
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

function throwSealed() {
  throw new DOMException("This page is sealed and does not do that", "SecurityError");
}

// Replaces methods, or the setters of properties, for good; `wrap` gets the original function.
function replace(owner, names, wrap) {
  for (const name of names.split(" ")) {
    const descriptor = owner && Object.getOwnPropertyDescriptor(owner, name);
    if (!descriptor?.configurable) continue;
    const key = descriptor.set ? "set" : "value";
    defineProperty(owner, name, { ...descriptor, [key]: wrap(descriptor[key]), configurable: false });
  }
}

// Makes methods and setters throw if `isBlocked`, called with the object and the arguments, returns true.
function guardCalls(owner, names, isBlocked) {
  replace(owner?.prototype, names, (original) => function (...args) {
    if (isBlocked(this, ...args)) throwSealed();
    return apply(original, this, args);
  });
}

const always = () => true;
const isElement = (node) => node instanceof Element;
const containsForbidden = (node) =>
  SEARCHES.some(([kind, search]) => node instanceof kind && apply(search, node, [FORBIDDEN]));
const isForbidden = (node) => (isElement(node) && apply(matches, node, [FORBIDDEN])) || containsForbidden(node);
const isForbiddenMarkup = (text) => MARKUP.test(text);
const isConnectingHeadElement = (node) => CONNECTING_ELEMENTS.some((kind) => node instanceof kind);

// The targets of a link in HTML, SVG or MathML; an SVG animation may change the target.
function hrefsOf(node) {
  const hrefs = [apply(getAttribute, node, ["href"]), apply(getAttributeNS, node, [XLINK, "href"])];
  if (node instanceof SVGElement) hrefs.push(node.href?.animVal);
  return hrefs.filter((href) => typeof href === "string");
}

// The nodes that an event at this node reaches.
function eventPath(node) {
  const path = [];
  for (let target = node; target; target = target.assignedSlot ?? target.parentNode ?? target.host) path.push(target);
  return path;
}

// Whether a navigation is a download of a file made in this page. Firefox fires a second event without a request.
function isDownload({ destination, downloadRequest, sourceElement }) {
  return destination.url.startsWith("blob:") && Boolean(downloadRequest || sourceElement?.download);
}

const withoutFragment = (address) => address.split("#")[0];
const absoluteAddress = (address) => withoutFragment(new URL(address, location).href);
// The targets of the page's own links when it was sealed; any other link leaves the page.
const ownAddresses = new Set();
const isFile = (node, address) => address.startsWith("blob:") && node instanceof HTMLAnchorElement && node.download;
function isForeign(node, address) {
  try {
    return !ownAddresses.has(absoluteAddress(address)) && !isFile(node, address);
  } catch {
    return true; // not a URL
  }
}
const leavesPage = (node) => isElement(node) && hrefsOf(node).some((address) => isForeign(node, address));

// Removes the target of a foreign link, and forbidden elements, as soon as they are in the page.
function strip(node) {
  if (!isElement(node)) return;
  if (apply(matches, node, [FORBIDDEN])) node.remove();
  else if (leavesPage(node)) for (const space of [null, XLINK]) apply(removeAttributeNS, node, [space, "href"]);
}
const observer = new MutationObserver((mutations) => {
  for (const { type, target, addedNodes, attributeName } of mutations) {
    if (type === "attributes" && attributeName.endsWith("href")) strip(target);
    for (const node of addedNodes) {
      strip(node);
      if (isElement(node)) node.querySelectorAll(`[*|href], ${FORBIDDEN}`).forEach(strip);
    }
  }
});
const watchTree = (root) => observer.observe(root, { subtree: true, childList: true, attributes: true });

function removeUncheckedApis() {
  for (const [name, members] of Object.entries(REMOVED_APIS)) {
    const owner = name === "Window" ? globalThis : globalThis[name]?.prototype;
    for (const member of members.split(" ")) if (owner) delete owner[member];
  }
  delete Document.parseHTMLUnsafe;
  globalThis.opener = null;
}

// Elements with a realm of their own cannot be inserted as nodes or markup, or parsed.
function blockNewRealms() {
  const hasForbidden = (_, ...args) => args.some(isForbidden);
  guardCalls(Node, "appendChild insertBefore replaceChild", hasForbidden);
  const methods = "append prepend before after replaceWith replaceChildren moveBefore insertAdjacentElement body";
  for (const kind of [Element, Document, DocumentFragment, CharacterData, DocumentType])
    guardCalls(kind, methods, hasForbidden);
  guardCalls(Range, "insertNode surroundContents", hasForbidden);
  guardCalls(Element, "innerHTML outerHTML", (_, text) => isForbiddenMarkup(text));
  guardCalls(ShadowRoot, "innerHTML", (_, text) => isForbiddenMarkup(text));
  guardCalls(Element, "insertAdjacentHTML", (_, _position, text) => isForbiddenMarkup(text));
  const insertsForbidden = (_, name, _showUI, text) => /^insertHTML$/i.test(name) && isForbiddenMarkup(text);
  guardCalls(Document, "execCommand", insertsForbidden);
  guardCalls(Document, "open write writeln", always);
  const checkResult = (original) => function (...args) {
    const parsed = apply(original, this, args);
    return isForbidden(parsed) ? throwSealed() : parsed;
  };
  replace(DOMParser.prototype, "parseFromString", checkResult);
  replace(Range.prototype, "createContextualFragment", checkResult);
  // shadow trees must be open for the observer and the event path to see them
  replace(Element.prototype, "attachShadow", (original) => function (options) {
    const root = apply(original, this, [{ ...options, mode: "open" }]);
    watchTree(root);
    return root;
  });
}

// Elements of the head that connect cannot be changed.
function freezeHead() {
  for (const { prototype } of CONNECTING_ELEMENTS)
    for (const [name, { set }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (set) replace(prototype, name, () => throwSealed);
  guardCalls(Element, "setAttribute setAttributeNS toggleAttribute", isConnectingHeadElement);
  guardCalls(Element, "setAttributeNode setAttributeNodeNS", always);
  guardCalls(NamedNodeMap, "setNamedItem setNamedItemNS", always);
  const isFrozen = (node) => node instanceof Attr && isConnectingHeadElement(node.ownerElement);
  guardCalls(Attr, "value", isFrozen);
  guardCalls(Node, "nodeValue textContent", isFrozen);
}

// Neither a user nor a script can leave the page by a click, a form, the address or a new window.
function blockNavigation() {
  const stop = (event) => event.composedPath().some(leavesPage) && event.preventDefault();
  for (const kind of ["click", "auxclick"]) addEventListener(kind, stop, true);
  guardCalls(HTMLElement, "click", (node) => eventPath(node).some(leavesPage));
  const isClick = (event) => /click$/.test(apply(typeOf, event, []));
  const clicksLink = (node, event) => isClick(event) && node instanceof Node && eventPath(node).some(leavesPage);
  guardCalls(EventTarget, "dispatchEvent", clicksLink);
  addEventListener("submit", (event) => event.preventDefault(), true);
  guardCalls(HTMLFormElement, "submit requestSubmit", always);
  globalThis.navigation?.addEventListener("navigate", (event) => {
    const address = withoutFragment(event.destination.url);
    const stays = event.destination.sameDocument && address === withoutFragment(location.href);
    const leaves = !stays && event.navigationType !== "reload" && !isDownload(event);
    const isOwnLink = event.userInitiated && ownAddresses.has(address);
    if (leaves && event.cancelable && !isOwnLink) event.preventDefault();
  });
  defineProperty(globalThis, "open", { value: () => null });
}

// The page's own server gets no text either: a reload would send it a changed address or a cookie.
function blockHistoryAndCookies() {
  const isChanged = (address) =>
    address !== undefined && address !== null && absoluteAddress(address) !== withoutFragment(location.href);
  guardCalls(History, "pushState replaceState", (_, _state, _title, address) => isChanged(address));
  defineProperty(Document.prototype, "cookie", { get: () => "", set: () => {} });
}

function guard() {
  for (const address of [location.href, ...[...document.links].map((link) => link.href)])
    ownAddresses.add(withoutFragment(address));
  removeUncheckedApis();
  blockNewRealms();
  freezeHead();
  blockNavigation();
  blockHistoryAndCookies();
  watchTree(document);
}

export { guard };
