// Draws the matches in the text boxes as thin lanes under the words, and reports the word at the pointer or the caret.
// A box holds a mirror, the lanes, and a textarea on top of them, whose letters are the visible ones. The mirror has the
// same text in one text node, so that its lines break like those of the textarea; the rectangles of its words are read
// with ranges. Where the lines differ, or tokens are no slices of the text, the lanes stand in a line below the box.
// All geometry is set on style objects, because the sealed page refuses style attributes in markup.
const KINDS = { c: "credited", p: "present", x: "clipped", u: "unmatched" };
const END = "\u200b"; // gives a line break at the end of a text a line
const CUT = 2; // pixels between the marks of tokens without a space between them
const MAX_MIRRORED = 200_000; // characters of a text above which the textarea scrolls, as layout takes long
const MAX_CHECKED = 20_000; // characters of a text above which its height is not compared, which takes long

const page = document.documentElement;
const texts = document.getElementById("texts");
const fieldsOf = () => [...texts.querySelectorAll(".field")];
const part = (host, name) => host.querySelector(`:scope > .${name}`);
let [boxes, light, picked] = [[], [], -1];

// Where words stand

const isAt = (rect, x, y, below) => x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom + below;

function rectsBetween(range, node, [start, end], origin) {
  if (end <= start) return [];
  range.setStart(node, start);
  range.setEnd(node, end);
  return [...range.getClientRects()]
    .filter((rect) => rect.width > 0.1)
    .map(({ left, right, top, bottom }) =>
      ({ left: left - origin.left, right: right - origin.left, top: top - origin.top, bottom: bottom - origin.top }));
}

// The rectangles of the words, and of the gaps between two words of a line.
function measure(host, spans) {
  const mirror = part(host, "mirror");
  const key = [mirror.clientWidth, mirror.clientHeight, mirror.textContent, spans].join("|");
  if (host.measured?.key === key) return host.measured;
  const [range, origin] = [document.createRange(), mirror.getBoundingClientRect()];
  const [words, gaps] = [[], []];
  const isOnLine = (list, gap) => list.some((word) => Math.abs(word.bottom - gap.bottom) < (gap.bottom - gap.top) / 2);
  for (let i = 0; i < spans.length; i += 2)
    words.push(rectsBetween(range, mirror.firstChild, spans.slice(i, i + 2), origin));
  for (let i = 0; i < words.length - 1; i++) {
    const found = rectsBetween(range, mirror.firstChild, spans.slice(2 * i + 1, 2 * i + 3), origin);
    gaps.push(found.filter((gap) => isOnLine(words[i], gap) && isOnLine(words[i + 1], gap)));
  }
  return (host.measured = { key, words, gaps, rtl: getComputedStyle(mirror).direction === "rtl" });
}

// Records whether the lines of each textarea break like those of its mirror: a font or an extension may change only one
// of them. All heights are changed before one is read, as each change would otherwise cost a layout of the page.
function compareBreaks(pairs) {
  const keyOf = (area, mirror) => [mirror.clientWidth, mirror.clientHeight, area.value].join("|");
  const changed = pairs.map(([area, mirror]) => [area, mirror, keyOf(area, mirror)])
    .filter(([area, , key]) => area.compared?.key !== key);
  const isShort = ([area]) => area.value.length <= MAX_CHECKED;
  for (const [area, mirror] of changed.filter((each) => !isShort(each)))
    area.compared = { isAlike: area.scrollHeight <= Math.max(area.clientHeight, mirror.clientHeight) + 1 };
  const short = changed.filter(isShort);
  const scrolled = short.map(([area]) => area.parentElement.scrollTop);
  for (const [area] of short) Object.assign(area.style, { height: "0", minHeight: "0" });
  for (const [area, mirror, key] of short)
    area.compared = { key, isAlike: Math.abs(area.scrollHeight - mirror.clientHeight) <= 1 };
  for (const [area] of short) Object.assign(area.style, { height: "", minHeight: "" });
  short.forEach(([area], index) => (area.parentElement.scrollTop = scrolled[index]));
}

// Drawing

// Rectangles of one kind that touch on a line become one.
function merge(rects) {
  const merged = [];
  for (const rect of rects.toSorted((a, b) => a.bottom - b.bottom || a.left - b.left)) {
    const last = merged.at(-1);
    if (last && Math.abs(last.bottom - rect.bottom) < 1 && rect.left - last.right < 0.8)
      last.right = Math.max(last.right, rect.right);
    else merged.push({ ...rect });
  }
  return merged;
}

// A mark in a lane, or without a lane a cover of the letters: struck, lit or picked.
function mark({ left, right, top, bottom }, kind, lane = -1) {
  const node = document.createElement("i");
  const size = { left, width: right - left, top: lane < 0 ? top : Math.round(bottom), "--height": bottom - top };
  for (const [name, value] of Object.entries(size)) node.style.setProperty(name, `${value.toFixed(1)}px`);
  node.style.setProperty("--lane-number", lane);
  if (lane < 0) node.className = kind;
  else node.dataset.lane = lane + 1;
  if (lane >= 0 || kind === "struck") node.dataset.kind = lane < 0 ? "clipped" : kind;
  return node;
}

// The marks of all words, or of those for which `has` is true; a gap is marked with both its words.
function marksOf({ words, gaps, rtl }, { spans, lanes, struck }, has = () => true) {
  const found = new Map();
  const add = (kind, lane, rects) => {
    const key = `${kind} ${lane}`;
    if (kind && rects) found.set(key, [...(found.get(key) ?? []), ...rects]);
  };
  lanes.forEach(([tokens, between], lane) => {
    words.forEach((rects, i) => {
      if (!has(i, i)) return;
      const isEnd = between[i] === "." && spans[2 * i + 1] === spans[2 * i + 2];
      const shorten = (rect) => (rtl ? { ...rect, left: rect.left + CUT } : { ...rect, right: rect.right - CUT });
      add(KINDS[tokens[i]], lane, isEnd ? rects.map(shorten) : rects);
      if (struck && !lane && tokens[i] === "x") add("struck", -1, rects);
      if (has(i, i + 1)) add(KINDS[between[i]], lane, gaps[i]);
    });
  });
  return [...found].flatMap(([key, rects]) => {
    const [kind, lane] = key.split(" ");
    return merge(rects).map((rect) => mark(rect, kind, Number(lane)));
  });
}

const clear = (host) => host.querySelectorAll(":scope > .lanes").forEach((layer) => layer.replaceChildren());

function setText(host, text, lang) {
  const mirror = part(host, "mirror");
  if (mirror.lang !== lang) mirror.lang = lang;
  if (mirror.textContent !== text) mirror.textContent = text;
}

// Paints all boxes; what is read of the layout is read for all before anything is written.
function paint() {
  if (texts.closest(".view").hidden) return;
  const fields = fieldsOf().map((field, index) => {
    const [area, box, line] = ["textarea", ".box", ".line"].map((css) => field.querySelector(css));
    const isHuge = area.value.length > MAX_MIRRORED;
    box.classList.toggle("huge", isHuge);
    const text = isHuge ? "" : area.value;
    setText(box, /[^\n]$/.test(text) ? text : text + END, area.lang); // after a space, END may take a line
    const marks = !isHuge && boxes[index]?.text === area.value ? boxes[index] : null; // else the text is not yet compared
    return { field, area, box, line, marks };
  });
  const inBox = fields.filter(({ marks }) => marks && marks.line === "");
  compareBreaks(inBox.map(({ area, box }) => [area, part(box, "mirror")]));
  for (const item of fields) {
    const { area, box, line, marks } = item;
    const isBelow = Boolean(marks) && (marks.line !== "" || !area.compared.isAlike);
    line.hidden = !isBelow;
    if (isBelow) setText(line, marks.line || area.value.slice(0, marks.spans.at(-1)), area.lang);
    item.host = marks && (isBelow ? line : box);
  }
  for (const item of fields) item.measured = item.host && measure(item.host, item.marks.spans);
  for (const { field, box, line, host, measured, marks } of fields) {
    observer.observe(box);
    if (host !== box) clear(box);
    if (host !== line) clear(line);
    Object.assign(field, { host, marks });
    if (!host) continue;
    const group = document.createElement("span"); // PyScript looks at each node that is added: here at one
    group.append(...marksOf(measured, marks));
    part(host, "lanes").replaceChildren(group);
  }
  paintLight();
}

// Lights up words, and frames the picked word of the candidate.
function paintLight() {
  const isLit = light.some((ranges) => ranges.length);
  fieldsOf().forEach((field, index) => {
    if (!field.host) return;
    const [lanes, over] = field.host.querySelectorAll(":scope > .lanes");
    const { words, gaps } = field.host.measured;
    const ranges = light[index] ?? [];
    const has = (i, j) => ranges.some(([start, end]) => start <= i && j < end);
    const rects = words.flatMap((list, i) => (has(i, i) ? [...list, ...(has(i, i + 1) ? gaps[i] : [])] : []));
    const frame = index || picked < 0 ? [] : (words[picked] ?? []);
    lanes.classList.toggle("calm", isLit);
    over.replaceChildren(
      ...merge(rects).map((rect) => mark(rect, "lit")),
      ...(rects.length ? marksOf(field.host.measured, field.marks, has) : []),
      ...frame.map((rect) => mark(rect, "picked")),
    );
  });
}

globalThis.drawLanes = (json) => {
  [boxes, light, picked] = [JSON.parse(json), [], -1];
  fieldsOf().forEach((field, index) => {
    field.querySelector(".description").innerHTML = boxes[index]?.description ?? "";
  });
  paint();
  if (wantsWord) pick(wordAtCaret());
};
globalThis.lightWords = (json) => {
  light = JSON.parse(json);
  paintLight();
};

// Pointer and caret

let reported = "";
let wantsWord = false; // the person chose a word, by a click or the caret, and has not typed since
function report(kind, box = -1, word = -1) {
  const detail = word < 0 ? `${kind} -1 -1` : `${kind} ${box} ${word}`;
  if (kind === "point" && detail === reported) return;
  if (kind === "point") reported = detail;
  document.dispatchEvent(new CustomEvent("word", { detail }));
}

// The number of a field with marks, and of its word at a point of the window, or -1.
function wordAt({ target, clientX, clientY }) {
  const field = target.closest?.("#texts :is(.box, .line)")?.closest(".field");
  if (!field?.host?.contains(target)) return [-1, -1];
  const { left, top } = part(field.host, "mirror").getBoundingClientRect();
  const below = 0.9 * Number.parseFloat(getComputedStyle(target).fontSize);
  const word = field.host.measured.words.findIndex((rects) =>
    rects.some((rect) => isAt(rect, clientX - left, clientY - top, below)));
  return [fieldsOf().indexOf(field), word];
}
function pick(word) {
  if (word === picked) return;
  picked = word;
  paintLight();
  report("caret", 0, word);
}
// The word of the candidate that holds the caret; of two that touch there, the second.
function wordAtCaret() {
  const { activeElement: area } = document;
  const { marks } = texts.querySelector(".field");
  if (area?.id !== "hypothesis" || !marks || marks.line || area.selectionStart !== area.selectionEnd) return -1;
  const caret = area.selectionStart;
  const indices = marks.spans.flatMap((start, i, spans) =>
    i % 2 || start > caret || spans[i + 1] < caret ? [] : [i / 2]);
  return indices.at(-1) ?? -1;
}
// If the text is not scored yet, its word is picked once it is.
function pickAtCaret() {
  wantsWord = true;
  pick(wordAtCaret());
}
function release() {
  wantsWord = false;
  pick(-1);
}
document.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "touch") report("point", ...wordAt(event));
});
page.addEventListener("pointerleave", () => report("point"));
document.addEventListener("click", (event) => {
  const [box, word] = wordAt(event);
  report("point", box, word);
  if (event.target.closest("#texts .field") === texts.querySelector(".field")) {
    if (event.target.closest(".box")) pickAtCaret();
  } else release();
});
texts.addEventListener("keyup", ({ key }) => {
  if (/^(?:Arrow|Home|End|Page)/.test(key)) pickAtCaret();
});
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  report("point");
  release();
});

// Changes

const observer = new ResizeObserver(() => paint());
// before Python hears of the change, which then compares the texts again
texts.addEventListener("input", () => {
  wantsWord = false;
  if (!page.dataset.ready) boxes = [];
  paint();
}, true);
document.addEventListener("view", paint);
document.fonts.addEventListener("loadingdone", () => {
  // what was measured stays until it is measured again, because a hidden view is not painted
  for (const host of texts.querySelectorAll(".box, .line")) if (host.measured) host.measured.key = "";
  paint();
});
// a browser may restore the texts of an earlier visit
const isEdited = [...texts.querySelectorAll("textarea")].some((area) => area.value !== area.defaultValue);
if (!isEdited) globalThis.drawLanes(texts.dataset.lanes);
