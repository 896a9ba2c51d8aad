// Shows one view at a time, chosen by the address. The address has the id of a view or of an element in it, after # or,
// if it also has texts, after "view=". Without this module, all views follow one another.
const page = document.documentElement;
const views = [...document.querySelectorAll(".view")];
const tabs = [...document.querySelectorAll("#views li a")];
const title = document.title;
const scrollPositions = new Map();
let currentView = null;
let [lastHash, openedHash] = [null, null];

const targetElement = () => {
  const fragment = location.hash.slice(1);
  if (!fragment.includes("=")) return document.getElementById(fragment);
  const pairs = new URLSearchParams(fragment);
  return document.getElementById(pairs.get("view") ?? (pairs.has("exercises") ? "learn" : null));
};
const viewOf = (element) => element?.closest(".view") ?? views[0];

function show(view) {
  if (view === currentView) return;
  if (currentView) scrollPositions.set(currentView, scrollY);
  currentView = view;
  // the browser's find-in-page also searches views that are hidden until found
  for (const other of views) other.hidden = other === view ? false : "until-found";
  markUnheard();
  page.dataset.view = view.id;
  for (const tab of tabs) {
    const isCurrent = tab.hash === `#${view.dataset.tab ?? view.id}`;
    if (isCurrent) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
    if (isCurrent) document.title = view === views[0] ? title : `${tab.dataset.title} · ${title}`;
  }
  lastHash = location.hash;
  document.dispatchEvent(new Event("view"));
  restoreScroll();
}
// A hidden view is not to be heard as an empty landmark. A slide and paper show views beside the current one.
const paper = matchMedia("print");
function markUnheard() {
  const allVisible = paper.matches || page.hasAttribute("data-walk");
  for (const view of views) view.ariaHidden = allVisible || view === currentView ? null : "true";
}
const reveal = (element) => {
  if (element?.localName === "details") element.open = true;
  element?.scrollIntoView();
};
// a clicked link loses the focus, and the browser gives it to the destination only if that is focusable
function focusOn(element) {
  const { activeElement } = document;
  if (element.contains(activeElement) && activeElement.localName !== "a") return; // Python has focused a part of it
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
const restoreScroll = () => scrollTo(0, scrollPositions.get(currentView) ?? 0);

// Scrolls to a new destination; a history entry that was visited before keeps its scroll position.
function onHashChange() {
  const destination = targetElement();
  show(viewOf(destination));
  const keepsPosition = history.state?.visited || !destination || destination === currentView;
  if (lastHash === location.hash && keepsPosition) restoreScroll(); // the browser has scrolled to the top
  else if (location.hash !== openedHash) reveal(destination);
  if (destination && location.hash !== openedHash) focusOn(destination);
  lastHash = openedHash = null;
  history.replaceState({ ...history.state, visited: true }, ""); // the state also names an open segment or a place in Learn
}

// Navigation keeps the texts that the address holds.
function hashFor(id) {
  const pairs = location.hash.slice(1).split("&").filter((pair) => pair.includes("=") && !pair.startsWith("view="));
  return pairs.length ? `#${pairs.join("&")}&view=${id}` : `#${id}`;
}

globalThis.openPart = (id) => {
  const destination = document.getElementById(id);
  show(viewOf(destination));
  location.hash = hashFor(id);
  openedHash = location.hash;
  if (destination !== currentView) reveal(destination);
};

addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="#"]');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const destination = document.getElementById(link.hash.slice(1));
  const isSkipLink = link.hash === "#content"; // the address keeps the view
  if (!isSkipLink && !(location.hash.includes("=") && destination)) return;
  event.preventDefault();
  if (!isSkipLink) globalThis.openPart(destination.id);
  focusOn(destination);
});
// A list of contents marks the part that is being read: the last part that begins above a line, or the destination of a
// link while that begins between the top of the window and the line. The line moves down as the page is scrolled, so
// that the last parts of a page that cannot scroll further are marked, too.
function markCurrentStep() {
  const links = [...currentView.querySelectorAll("nav.steps a")];
  const scrolled = scrollY / Math.max(1, page.scrollHeight - innerHeight);
  const line = 100 + scrolled * (innerHeight - 100);
  const topOf = ({ hash }) => document.getElementById(hash.slice(1))?.getBoundingClientRect().top;
  const above = links.filter((link) => topOf(link) < line);
  const isReached = (link) => link.hash === `#${targetElement()?.id}` && topOf(link) >= 0;
  const current = above.find(isReached) ?? above.at(-1) ?? links[0];
  for (const link of links)
    if (link === current) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
}
addEventListener("scroll", () => requestAnimationFrame(markCurrentStep), { passive: true });
document.addEventListener("view", () => requestAnimationFrame(markCurrentStep));
// the score stands in the bar only while the large one, below its buttons, is out of sight
new IntersectionObserver(([{ isIntersecting }]) => page.toggleAttribute("data-score-in-sight", isIntersecting), {
  rootMargin: "-48px 0px 0px 0px",
}).observe(document.querySelector(".acts"));
paper.addEventListener("change", markUnheard);
new MutationObserver(markUnheard).observe(page, { attributeFilter: ["data-walk"] });
// a fold that closes another one, above it, would move out of sight with the focus
addEventListener("toggle", ({ target }) => target.open && document.activeElement?.parentElement === target
  && document.activeElement.scrollIntoView({ block: "nearest" }), true);
addEventListener("beforematch", ({ target }) => show(viewOf(target)));
addEventListener("hashchange", onHashChange);
// the browser restores the position after a reload; between views, this module does
addEventListener("pagehide", () => (history.scrollRestoration = "auto"));
addEventListener("pageshow", () => (history.scrollRestoration = "manual"));
const initial = targetElement();
show(viewOf(initial));
if (!history.state?.visited && initial !== currentView) reveal(initial);
const { segment, ...remaining } = history.state ?? {}; // no segment is open after a reload
history.replaceState({ ...remaining, visited: true }, "");
