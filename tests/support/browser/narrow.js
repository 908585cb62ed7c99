/* What is in the way on a page (narrow.py): each function gives a list of words about it. */
(() => {
  const style = (one) => getComputedStyle(one);
  const seen = (one) =>
    one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
    style(one).clipPath === "none" && !one.closest(".hidden, .skip, [inert]") && !one.parentElement?.closest("svg");
  const named = (one) => {
    const words = (one.ariaLabel || one.innerText || "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `${one.localName}.${one.getAttribute("class") ?? ""} "${words}"`;
  };
  /** Of the page, or of the dialog over it. */
  const all = () => [...(document.querySelector("dialog:modal") ?? document.body).querySelectorAll("*")].filter(seen);
  const touched = (one) => one.closest("label") ?? one;
  const stays = (one) => one && (["sticky", "fixed"].includes(style(one).position) ? one : stays(one.parentElement));
  const round = Math.round;

  /** What is cut off, or has to be scrolled sideways; the board and tables may. */
  function sideways({ scrollers }) {
    const free = ".board, .board *, :is(table, pre), :is(table, pre) *";
    const scrolls = (one) => ["auto", "scroll"].includes(style(one).overflowX);
    const within = (one) => one && (one.matches(scrollers) || (scrolls(one) ? one.scrollWidth > one.clientWidth + 1 : within(one.parentElement)));
    const { scrollWidth } = document.scrollingElement;
    const found = scrollWidth > innerWidth ? [`the page is ${scrollWidth} wide`] : [];
    for (const one of all().filter((one) => !one.matches(free))) {
      const { left, right, width, height } = one.getBoundingClientRect();
      const { overflowX, overflowY, position } = style(one);
      const beyond = width > 1 && height > 1 && (left < -1 || right > innerWidth + 1);
      if (beyond && position !== "fixed" && !within(one.parentElement) && !one.closest("[aria-hidden=true]")) {
        found.push(`beyond the edge (${round(left)} to ${round(right)}): ${named(one)}`);
      }
      if (one.matches("svg, input, select, textarea, progress") || !one.clientWidth) continue;
      const [x, y] = [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight];
      const cuts = (how) => ["hidden", "clip"].includes(how);
      if (x > 1 && scrolls(one) && !one.matches(scrollers)) found.push(`scrolls sideways by ${x}: ${named(one)}`);
      if (x > 1 && cuts(overflowX)) found.push(`is cut by ${x} sideways: ${named(one)}`);
      if (y > 1 && cuts(overflowY)) found.push(`is cut by ${y} below: ${named(one)}`);
    }
    return found;
  }

  /** What is smaller than it should be, and so near to something else that that is hit instead; a week has seven days, and a game many turns. */
  function small({ least }) {
    /** What is in sight and yet not hit lies below something else, or is cut off. */
    const reached = (one, { left, right, top, bottom }) => {
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return !hit || touched(one).contains(hit);
    };
    const targets = all().filter((one) => one.matches("button, a[href], summary, select, input, textarea, [role=button]"))
      .filter((one) => !one.closest(".board svg") && !(one.matches("a") && style(one).display === "inline"))
      .map((one) => ({ one, box: touched(one).getBoundingClientRect() }))
      .filter(({ one, box }) => box.width > 1 && box.right > 0 && box.left < innerWidth && reached(one, box));
    const reach = ({ left, right, top, bottom }) => {
      const [x, y, half] = [(left + right) / 2, (top + bottom) / 2, least / 2];
      return { left: Math.min(left, x - half), right: Math.max(right, x + half), top: Math.min(top, y - half), bottom: Math.max(bottom, y + half) };
    };
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const others = (a) => targets.filter((b) => touched(a.one) !== touched(b.one) && !a.one.contains(b.one) && !b.one.contains(a.one)
      && stays(a.one) === stays(b.one) && meet(reach(a.box), reach(b.box)));
    return targets.filter(({ one, box }) => Math.min(box.width, box.height) < least && !one.closest(".problem-calendar, .missed-bars"))
      .flatMap((a) => others(a).slice(0, 1).map((b) => `small (${round(a.box.width)} x ${round(a.box.height)}): ${named(a.one)}, beside ${named(b.one)}`));
  }

  /** What has the focus and is out of sight, or below something else; and what stays and leaves no room. */
  function hidden({ scrollers }) {
    const [before, x, y] = [document.activeElement, scrollX, scrollY];
    const found = all().filter((one) => stays(one) === one && !one.matches("dialog")).map((one) => ({ one, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.height > 0.6 * innerHeight && box.width > 0.5 * innerWidth)
      .map(({ one, box }) => `stays and covers ${round(box.height)} of ${innerHeight}: ${named(one)}`);
    before?.blur();
    for (const one of all()) {
      if (one.tabIndex < 0 || !one.matches("button, a[href], summary, select, input, textarea, [tabindex]")) continue;
      one.focus();
      if (document.activeElement !== one) continue;
      const box = touched(one).getBoundingClientRect();
      const points = [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((i) => [0.15, 0.5, 0.85].map((j) => [box.left + i * box.width, box.top + j * box.height]));
      const hits = points.map((point) => document.elementFromPoint(...point)).filter((hit) => hit && (touched(one).contains(hit) || hit.contains(one)));
      const least = box.height > 0.6 * innerHeight || one.closest(scrollers) ? 1 : points.length / 2;
      if (hits.length < least) found.push(`the focus is hidden (${hits.length} of ${points.length}, ${round(box.top)} to ${round(box.bottom)}): ${named(one)}`);
    }
    before?.focus({ preventScroll: true });
    scrollTo(x, y);
    return found;
  }

  /** Red, green and blue of 255, and how solid it is. */
  const numbers = (colour) => colour.match(/[\d.]+/g).map((part, i) => Number(part) * (colour.startsWith("color(") && i < 3 ? 255 : 1));
  const luminance = (colour) => numbers(colour).slice(0, 3).map((part) => ((part / 255 + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0.05);
  const ground = (one) => (one && numbers(style(one).backgroundColor)[3] === 0 ? ground(one.parentElement) : style(one ?? document.body).backgroundColor);

  /** What has a colour of ours where only dominoes, and what is played with, should have one; and what is not read on its ground. */
  function foreign() {
    const probe = document.body.appendChild(document.createElement("i"));
    const system = new Set(["Canvas", "CanvasText", "LinkText", "Highlight", "HighlightText", "GrayText"].map((name) => {
      probe.style.color = name;
      return style(probe).color;
    }));
    probe.remove();
    const pieces = "svg, hr, .token, .flying, .splash *, .edge-domino, .edge-domino *, .print-page img, .swatch i, .qr";
    const none = /^rgba\(.*, 0\)$|^color\(/; // Or a mixture of tokens.
    const written = (one) => [...one.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());
    const unread = all().filter((one) => written(one) && !one.closest(`.splash, ${pieces}`)).map((one) => [one, luminance(style(one).color), luminance(ground(one))])
      .filter(([, ink, below]) => Math.max(ink, below) / Math.min(ink, below) < 4.5).map(([one]) => `not read on its ground: ${named(one)}`);
    const ours = all().filter((one) => !one.matches(pieces)).flatMap((one) => {
      const { color, backgroundColor, borderTopColor, borderTopWidth } = style(one);
      const colours = { ink: color, ground: backgroundColor, ...(parseFloat(borderTopWidth) && { line: borderTopColor }) };
      return Object.entries(colours).filter(([, colour]) => !system.has(colour) && !none.test(colour)).map(([what, colour]) => `${what} ${colour}: ${named(one)}`);
    });
    return [...unread, ...ours];
  }

  return { sideways, small, hidden, foreign };
})()
