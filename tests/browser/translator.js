() => {
  // Do what the translators of Chrome and Google do to a page: they replace each text by two <font> elements with
  // other words and digits, and the texts of attributes; also those that come later. What they read is in `sent`.
  const ATTRIBUTES = ["title", "placeholder", "alt", "label", "aria-label", "aria-description"];
  const DIGITS = "০১২৩৪৫৬৭৮৯";
  const rotate = (letter) => {
    const base = letter < "a" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt() - base + 13) % 26) + base);
  };
  const translated = (text) => text.replace(/[A-Za-z]/g, rotate).replace(/\d/g, (digit) => DIGITS[digit]);
  const isOurs = new WeakSet();
  window.sent = [];

  function translateText(node) {
    let parent = node.parentElement;
    while (parent && !(parent instanceof HTMLElement)) parent = parent.parentElement;
    if (isOurs.has(node) || !parent?.translate || !/[\dA-Za-z]/.test(node.data)) return;
    if (parent.closest("script, style, template, noscript")) return;
    window.sent.push(node.data);
    const outer = document.createElement("font");
    const inner = document.createElement("font");
    inner.textContent = translated(node.data);
    isOurs.add(inner.firstChild);
    outer.append(inner);
    node.replaceWith(outer);
  }
  function translateAttribute(element, name) {
    const text = element.getAttribute(name);
    const ours = (element.translations ??= {});
    if (!text || ours[name] === text || !(element instanceof HTMLElement) || !element.translate) return;
    window.sent.push(text);
    element.setAttribute(name, (ours[name] = translated(text)));
  }
  function translateAll(root) {
    if (root.nodeType === Node.TEXT_NODE) return translateText(root);
    if (root.nodeType !== Node.ELEMENT_NODE) return;
    for (const element of [root, ...root.querySelectorAll("*")])
      for (const name of ATTRIBUTES) translateAttribute(element, name);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    nodes.forEach(translateText);
  }
  new MutationObserver((records) => {
    for (const { type, target, attributeName, addedNodes } of records) {
      if (type === "attributes") translateAttribute(target, attributeName);
      else if (type === "characterData") translateText(target);
      else addedNodes.forEach((node) => node.isConnected && translateAll(node));
    }
  }).observe(document.body, {
    childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ATTRIBUTES,
  });
  translateAll(document.body);
  document.documentElement.lang = "bn";
  document.documentElement.classList.add("translated-ltr");
}
