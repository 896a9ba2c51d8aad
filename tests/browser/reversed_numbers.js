() => {
    // the numbers in sight whose characters do not stand from left to right, each with the text around it
    const number = /(?:[−+±≈] ?)*\d+(?:[.,]\d+)*(?:e[−+]?\d+)?(?:(?: ?[→–±=·/] ?| to | of )[−+]?\d+(?:[.,]\d+)*)*(?: ?%)?/g;
    const isReversed = (rects) => rects.some((rect, n) =>
    n && Math.abs(rect.top - rects[n - 1].top) < 3 && rect.left < rects[n - 1].left - 0.5);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const reversed = [];
    while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.checkVisibility() || node.parentElement.closest("textarea, .spoken")) continue;
    for (const { 0: text, index } of node.data.matchAll(number)) {
        const rects = [...text.trimEnd()].map((_, n) => {
            range.setStart(node, index + n);
            range.setEnd(node, index + n + 1);
            return range.getBoundingClientRect();
        }).filter((rect) => rect.width);
        if (isReversed(rects)) reversed.push(`${text} in ${node.data}`);
    }
    }
    // formulas: each part stands to the right of the one before, also if a part is a number with a sign
    for (const sign of document.querySelectorAll("math mo"))
    if (sign.checkVisibility() && sign.textContent === "−" && sign.nextElementSibling)
        if (sign.getBoundingClientRect().left > sign.nextElementSibling.getBoundingClientRect().left)
            reversed.push(sign.parentElement.textContent);
    return reversed;
}
