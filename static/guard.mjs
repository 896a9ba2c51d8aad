// Blocks what no policy can, once the page is sealed: new realms, which would not have this guard; links that the page
// did not have; and APIs that no policy covers. A script can change any object that it reaches. So the guard freezes
// the prototypes, and reads nodes and events only with the original functions, which it saves here.

const { apply, defineProperty, deleteProperty } = Reflect;
const { freeze, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { DOMException, URL } = globalThis;
const { exec } = RegExp.prototype;
const { getAttributeNS, querySelectorAll, removeAttributeNS } = Element.prototype;
const { createElement } = Document.prototype;
const getter = ({ prototype }, name) => getOwnPropertyDescriptor(prototype, name).get;
const [parentOf, kindOf] = ["parentNode", "nodeType"].map((name) => getter(Node, name));
const [nameOf, namespaceOf] = ["localName", "namespaceURI"].map((name) => getter(Element, name));
const downloadOf = getter(HTMLAnchorElement, "download");

// Elements that create a realm, connect, navigate, or change the address of a link.
const NAMES = "iframe|frame|frameset|object|embed|fencedframe|portal|link|meta|base|animate|set";
const FORBIDDEN_NAME = new RegExp(`^(?:.*:)?(?:${NAMES})$`, "is");
// not \s, because XML allows U+FEFF and U+1680 in a prefix
const FORBIDDEN_MARKUP = new RegExp(`<(?:[^ \\t\\n\\f\\r<>/]*:)?(?:${NAMES})[\\s/>]`, "i");
const MARKUP_SINK = /^Element (?:innerHTML|outerHTML|insertAdjacentHTML)$/;
const LINK_ATTRIBUTES = [[null, "href"], ["http://www.w3.org/1999/xlink", "href"]];
const LINK_OR_COMMAND = [...LINK_ATTRIBUTES, [null, "commandfor"], [null, "popovertarget"]];
const LINK_NAME = /^(?:a|area)$/i;
const CONTROL_NAME = /^(?:meter|output|progress|select|textarea)$/i;
const MATHML = "http://www.w3.org/1998/Math/MathML";

// What the page, Python and the tools of tests need. All other members are removed, also those of future browsers.
// Types stay, because accessibility checkers use hundreds of them, except those in `REMOVED_APIS`.
const KEPT_APIS = {
  Navigator: "clipboard hardwareConcurrency language languages maxTouchPoints onLine platform serviceWorker storage " +
    "userActivation userAgent vendor webdriver",
  ServiceWorkerRegistration: "active installing onupdatefound scope unregister update waiting",
  HTMLLinkElement: "sheet",
  HTMLMetaElement: "",
  // last, because the other types are members of window
  Window: "alert atob btoa caches cancelAnimationFrame cancelIdleCallback clearInterval clearTimeout confirm crypto " +
    "decodeURI decodeURIComponent devicePixelRatio drawLanes encodeURI encodeURIComponent eval event fetch " +
    "frames getComputedStyle getSelection globalThis history innerHeight innerWidth isFinite isNaN " +
    "isSecureContext keepTexts length lightWords limitMemory localStorage matchMedia navigator openPart origin " +
    "pageXOffset pageYOffset parent parseFloat parseInt performance print queueMicrotask reportError " +
    "requestAnimationFrame requestIdleCallback screen scroll scrollBy scrollTo scrollX scrollY self " +
    "sessionStorage setInterval setTimeout startAgain structuredClone visualViewport",
};
const REMOVED_APIS = {
  CustomElementRegistry: "define",
  Document: "cookie open parseHTML parseHTMLUnsafe write writeln",
  Element: "attachShadow setAttributeNode setAttributeNodeNS setHTML setHTMLUnsafe",
  HTMLButtonElement: "commandForElement popoverTargetElement",
  HTMLDialogElement: "requestClose show",
  HTMLElement: "hidePopover showPopover togglePopover",
  HTMLFormElement: "requestSubmit submit",
  HTMLInputElement: "popoverTargetElement",
  HTMLMediaElement: "remote setMediaKeys",
  NamedNodeMap: "setNamedItem setNamedItemNS",
  ShadowRoot: "setHTML setHTMLUnsafe",
  Window: "BroadcastChannel DigitalCredential IdentityCredential IdentityProvider LanguageDetector LanguageModel " +
    "MediaMetadata Notification PaymentRequest PresentationRequest PublicKeyCredential RTCPeerConnection " +
    "SharedWorker SpeechRecognition Summarizer Translator WebSocketStream WebTransport XSLTProcessor",
};

function refuse() {
  throw new DOMException("This page is sealed and does not do that", "SecurityError");
}

// Calls a saved function on an object; returns undefined if the object is not of its kind.
function invoke(method, object, ...args) {
  try {
    return apply(method, object, args);
  } catch {
    return undefined;
  }
}

// Replaces methods or setters permanently; `wrap` returns the replacement for the original function.
function replace({ prototype }, names, wrap) {
  for (const name of names.split(" ")) {
    const descriptor = getOwnPropertyDescriptor(prototype, name);
    if (!descriptor?.configurable) continue;
    const key = descriptor.set ? "set" : "value";
    defineProperty(prototype, name, { ...descriptor, [key]: wrap(descriptor[key]), configurable: false });
  }
}

// Makes methods and setters throw if `isRefused`, called with the object, returns a true value.
function guardCalls(owner, names, isRefused) {
  replace(owner, names, (original) => function (...args) {
    return isRefused(this) ? refuse() : apply(original, this, args);
  });
}
const always = () => true;

// Hides events from all scripts.
function ignoreEvents(kinds) {
  for (const kind of kinds.split(" ")) addEventListener(kind, (event) => event.stopImmediatePropagation(), true);
}

const matches = (pattern, text) => apply(exec, pattern, [text]) !== null;

const valuesOf = (node, attributes) =>
  attributes.map((name) => invoke(getAttributeNS, node, ...name)).filter((value) => typeof value === "string");

// Links without an address count, too, because a listener could give them one: any element of MathML can have it.
const isLink = (node) => matches(LINK_NAME, invoke(nameOf, node)) || invoke(namespaceOf, node) === MATHML;

// The link, or the button with a command, around a node.
function linkAround(target) {
  for (let node = target; node; node = invoke(parentOf, node))
    if (isLink(node) || valuesOf(node, LINK_OR_COMMAND).length) return node;
}

// The addresses of the page's own links when it was sealed; any other link leaves the page.
const ownAddresses = new Set();
// not with `split`, which looks up Symbol.split on Object.prototype, which is not frozen
const withoutFragment = (address) => address.slice(0, `${address}#`.indexOf("#"));
const isFile = (node, address) => address.startsWith("blob:") && Boolean(invoke(downloadOf, node));
const isOnPage = (address) => withoutFragment(address) === withoutFragment(location.href);
function isForeign(address) {
  try {
    const { href } = new URL(address, location.href);
    return !isOnPage(href) && !ownAddresses.has(href);
  } catch {
    return true; // not a URL
  }
}
const leavesPage = (node) =>
  valuesOf(node, LINK_ATTRIBUTES).some((address) => isForeign(address) && !isFile(node, address));

// Removes the address of a foreign link.
function stripForeignLink(node) {
  if (leavesPage(node)) for (const name of LINK_ATTRIBUTES) invoke(removeAttributeNS, node, ...name);
}
function onMutations(mutations) {
  for (const { target, addedNodes } of mutations) {
    stripForeignLink(target);
    for (const node of addedNodes)
      [node, ...(invoke(querySelectorAll, node, "[*|href]") ?? [])].forEach(stripForeignLink);
  }
}
const observer = new MutationObserver(onMutations);
const stripPending = () => onMutations(observer.takeRecords());

// No script can make an element with a realm of its own, by name or by markup. The default policy of Trusted Types
// checks all markup; the closing content security policy requires it and forbids others. A name is converted to a
// string once, because an object could give another name when it is read again.
function blockNewRealms() {
  const isAllowed = (text, sink) => matches(MARKUP_SINK, sink) && !matches(FORBIDDEN_MARKUP, text);
  const createHTML = (text, _, sink) => (isAllowed(text, sink) ? text : refuse());
  globalThis.trustedTypes?.createPolicy("default", { createHTML });
  const checkName = (position) => (original) => function (...args) {
    if (args.length > position && args[position] !== null) args[position] = `${args[position]}`;
    return matches(FORBIDDEN_NAME, args[position]) ? refuse() : apply(original, this, args);
  };
  replace(Document, "createElement", checkName(0));
  replace(Document, "createElementNS", checkName(1));
  replace(DOMImplementation, "createDocument", checkName(1));
}

// Elements of the head that connect cannot be changed.
function freezeHead() {
  const isConnecting = (node) => ["link", "meta"].includes(invoke(nameOf, node));
  guardCalls(Element, "setAttribute setAttributeNS toggleAttribute", isConnecting);
  guardCalls(Attr, "value", always);
  guardCalls(Node, "nodeValue textContent", (node) => invoke(kindOf, node) === 2);
}

// Neither a user nor a script can leave the page by a click, a form, the address or a new window. These listeners run
// before any that a script adds later.
function blockNavigation() {
  // A click on a label clicks its control, and then a link around that, which a listener may have changed.
  const stop = (event) => {
    const path = event.composedPath();
    const isControlInLink = matches(CONTROL_NAME, invoke(nameOf, path[0])) && linkAround(path[0]);
    if (isControlInLink || path.some(leavesPage)) event.preventDefault();
  };
  for (const kind of ["click", "auxclick"]) addEventListener(kind, stop, true);
  guardCalls(EventTarget, "dispatchEvent", linkAround);
  // A listener could change the address before the browser reads it, so a copy of the link is clicked.
  replace(HTMLElement, "click", (click) => function () {
    const link = linkAround(this);
    if (link && leavesPage(link)) refuse();
    const copy = apply(createElement, document, ["a"]);
    for (const href of valuesOf(link, LINK_ATTRIBUTES)) copy.href = href;
    if (invoke(downloadOf, link)) copy.download = invoke(downloadOf, link);
    apply(click, link ? copy : this, []);
  });
  // Without https, Firefox connects to the server of a link that gets the focus. No script hears that the focus leaves
  // another element, or that a dialog opens or closes, nor is one called for an argument: it could change the address.
  for (const owner of [HTMLElement, SVGElement, MathMLElement])
    replace(owner, "focus", (focus) => function (options) {
      const preventScroll = Boolean(options?.preventScroll);
      stripPending();
      apply(focus, this, [{ preventScroll }]);
    });
  replace(HTMLDialogElement, "close showModal", (original) => function () {
    stripPending();
    apply(original, this, []);
  });
  ignoreEvents("blur focusout beforetoggle");
  addEventListener("submit", (event) => event.preventDefault(), true);
  const onNavigate = (event) => {
    stripPending(); // the target of a fragment gets the focus
    const { url, sameDocument } = event.destination;
    // Firefox fires a second event for a download, without a request.
    const isDownload = url.startsWith("blob:") && (event.downloadRequest || isFile(event.sourceElement, url));
    const isOwnLink = event.userInitiated && ownAddresses.has(url);
    const isFragment = sameDocument && isOnPage(url);
    const stays = isFragment || event.navigationType === "reload" || isDownload || isOwnLink;
    if (!stays && event.cancelable) event.preventDefault();
  };
  globalThis.navigation?.addEventListener("navigate", onNavigate, true);
}

// A page that opened this one could be answered.
const blockMessages = () => ignoreEvents("message messageerror");

// A changed address could send text to the page's own server.
function blockHistory() {
  replace(History, "pushState replaceState", (original) => function (state, title, address) {
    const text = `${address ?? location.href}`;
    if (isForeign(text)) refuse();
    apply(original, this, [state, title, text]);
  });
}

// A script that replaces a method could turn the guard off. The few in `UNFROZEN` stay unfrozen, because PyScript and
// Python change them.
function removeAndFreeze() {
  const UNFROZEN = /^(?:Object|Function|Promise|RegExp|.*Error|.*Exception)$/;
  const members = Object.entries(Object.getOwnPropertyDescriptors(globalThis));
  for (const [name, removed] of Object.entries(REMOVED_APIS))
    for (const owner of name === "Window" ? [globalThis] : [globalThis[name] ?? {}, globalThis[name]?.prototype ?? {}])
      for (const member of removed.split(" ")) deleteProperty(owner, member);
  for (const [name, kept] of Object.entries(KEPT_APIS)) {
    const owner = name === "Window" ? globalThis : globalThis[name]?.prototype ?? {};
    const keptMembers = new Set(["constructor", ...kept.split(" ")]);
    for (const [member, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (/^[a-z]/.test(member) && (get || typeof value === "function") && !keptMembers.has(member))
        deleteProperty(owner, member);
  }
  for (const [name, { value }] of members)
    if (typeof value === "function" && value.prototype && !UNFROZEN.test(name))
      [value.prototype, value].forEach(freeze);
  freeze(getPrototypeOf([][Symbol.iterator]()));
}

function guard() {
  for (const { href } of document.links) ownAddresses.add(href);
  blockNewRealms();
  freezeHead();
  blockNavigation();
  blockMessages();
  blockHistory();
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  removeAndFreeze();
}

export { guard };
