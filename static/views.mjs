// One view at a time on the screen, as the address says: by the id of a view or of something in it, after # or, where
// the address holds texts, after "view=". Without this module they all stand one below the other.
const page = document.documentElement;
const views = [...document.querySelectorAll(".view")];
const tabs = [...document.querySelectorAll("#views li a")];
const title = document.title;
const places = new Map();
let now = null;
let [entered, reached] = [null, null];

const part = () => {
  const rest = location.hash.slice(1);
  if (!rest.includes("=")) return document.getElementById(rest);
  const pairs = new URLSearchParams(rest);
  return document.getElementById(pairs.get("view") ?? (pairs.has("exercises") ? "learn" : null));
};
const viewOf = (element) => element?.closest(".view") ?? views[0];

function show(view) {
  if (view === now) return;
  if (now) places.set(now, scrollY);
  now = view;
  // the browser's own search finds what is in the others
  for (const one of views) one.hidden = one === view ? false : "until-found";
  page.dataset.view = view.id;
  for (const tab of tabs) {
    const current = tab.hash === `#${view.id}`;
    if (current) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
    if (current) document.title = view === views[0] ? title : `${tab.textContent} · ${title}`;
  }
  entered = location.hash;
  document.dispatchEvent(new Event("view"));
  resume();
}
const reveal = (aim) => {
  if (aim?.localName === "details") aim.open = true;
  aim?.scrollIntoView();
};
const resume = () => scrollTo(0, places.get(now) ?? 0);

// A new place is gone to; one that was visited before, and is come back to, is as it was left.
function follow() {
  const aim = part();
  show(viewOf(aim));
  const whole = history.state?.visited || !aim || aim === now;
  if (entered === location.hash && whole) resume(); // the browser has gone to the top
  else if (location.hash !== reached) reveal(aim);
  entered = reached = null;
  history.replaceState({ visited: true }, "");
}

// Texts in the address stay there when somebody goes to another place.
function address(id) {
  const pairs = location.hash.slice(1).split("&").filter((pair) => pair.includes("=") && !pair.startsWith("view="));
  return pairs.length ? `#${pairs.join("&")}&view=${id}` : `#${id}`;
}

globalThis.openPart = (id) => {
  const aim = document.getElementById(id);
  show(viewOf(aim));
  location.hash = address(id);
  reached = location.hash;
  if (aim !== now) reveal(aim);
};

addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="#"]');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (!location.hash.includes("=") || !document.getElementById(link.hash.slice(1))) return;
  event.preventDefault();
  globalThis.openPart(link.hash.slice(1));
});
addEventListener("beforematch", ({ target }) => show(viewOf(target)));
addEventListener("hashchange", follow);
// a reload comes back to where the page was; among its views, they tell that themselves
addEventListener("pagehide", () => (history.scrollRestoration = "auto"));
addEventListener("pageshow", () => (history.scrollRestoration = "manual"));
const first = part();
show(viewOf(first));
if (!history.state?.visited && first !== now) reveal(first);
history.replaceState({ visited: true }, "");
