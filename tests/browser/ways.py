"""Every way out of a page that a script might try, to the address `to`."""

CANARY = "canary-7f3a"

WAYS = {
    "fetch": "fetch(to).catch(() => {})",
    "fetch with a body": "fetch(to, {method: 'POST', mode: 'no-cors', body: 'canary-7f3a'})"
    ".catch(() => {})",
    "keepalive": "fetch(to, {keepalive: true, mode: 'no-cors'}).catch(() => {})",
    "XMLHttpRequest": "const x = new XMLHttpRequest(); x.open('GET', to); x.send()",
    "sendBeacon": "navigator.sendBeacon(to, 'canary-7f3a')",
    "WebSocket": "new WebSocket(to.replace('http', 'ws'))",
    "EventSource": "new EventSource(to)",
    "WebTransport": "new WebTransport(to.replace('http:', 'https:')).ready.catch(() => {})",
    "image": "new Image().src = to",
    "image in the page": "document.body.insertAdjacentHTML('beforeend', `<img src='${to}'>`)",
    "svg image": "document.body.insertAdjacentHTML('beforeend',"
    " `<svg><image href='${to}'/></svg>`)",
    "stylesheet": "add('link', {rel: 'stylesheet', href: to})",
    "style of an element": "document.body.style.backgroundImage = `url(${to})`",
    "rule": "const s = new CSSStyleSheet(); s.replaceSync(`body {background: url(${to})}`);"
    " document.adoptedStyleSheets = [s]",
    "font": "new FontFace('f', `url(${to})`).load().catch(() => {})",
    "script": "add('script', {src: to})",
    "module": "import(to).catch(() => {})",
    "worker": "new Worker(to)",
    "shared worker": "new SharedWorker(to)",
    "service worker": "navigator.serviceWorker.register(to).catch(() => {})",
    "frame": "add('iframe', {src: to})",
    "frame with a page": "add('iframe', {srcdoc: `<img src='${to}'>`})",
    "object": "add('object', {data: to})",
    "embed": "add('embed', {src: to})",
    "video": "add('video', {src: to, poster: to, autoplay: true})",
    "audio": "new Audio(to).play().catch(() => {})",
    "track": "document.body.insertAdjacentHTML('beforeend',"
    " `<video><track default src='${to}'></video>`)",
    "prefetch": "add('link', {rel: 'prefetch', href: to})",
    "preload": "add('link', {rel: 'preload', as: 'image', href: to})",
    "modulepreload": "add('link', {rel: 'modulepreload', href: to})",
    "icon": "add('link', {rel: 'icon', href: to})",
    "manifest": "document.querySelector('[rel=manifest]').href = to",
    "form": "const f = add('form', {action: to}); f.submit()",
    "form post": "const f = add('form', {action: to, method: 'post'}); f.requestSubmit()",
    "link": "add('a', {href: to}).click()",
    "link to a new tab": "add('a', {href: to, target: '_blank'}).click()",
    "link that pings": "add('a', {href: '#tokens', ping: to}).click()",
    "link outside the page": "Object.assign(document.createElement('a'), {href: to}).click()",
    "file to save": "Object.assign(document.createElement('a'),"
    " {href: to, download: 'saved'}).click()",
    "own link changed": "const a = document.querySelector('.source a'); a.href = to; a.click()",
    "address": "location.href = to",
    "replaced address": "location.replace(to)",
    "new window": "window.open(to)",
    "refresh": "add('meta', {httpEquiv: 'refresh', content: `0;url=${to}`})",
    "peer connection": "new RTCPeerConnection({iceServers: [{urls: 'stun:' + new URL(to).host}]})",
    "report": "add('meta', {httpEquiv: 'Content-Security-Policy', content: `img-src 'none';"
    " report-uri ${to}`}); new Image().src = 'x.png'",
    "speculation": "add('script', {type: 'speculationrules',"
    " text: JSON.stringify({prefetch: [{urls: [to]}]})})",
}  # fmt: skip

BY_ADDRESS = {"link outside the page", "file to save", "address", "replaced address", "refresh"}
"""Those that only the Navigation API can refuse."""


def trying(way: str) -> str:
    """A script that tries one way out; that it raises is as good as anything."""
    add = "Object.assign(document.createElement(name), given)"
    return (
        f"const add = (name, given) => document.body.appendChild({add});"
        f" try {{ {WAYS[way]} }} catch {{}}"
    )
