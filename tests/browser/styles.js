/* What an engine does not keep of style sheets (test_styles.py): a line for each declaration and selector. */
(sheets) => {
  /** The declarations and rules of a sheet, with the line where each begins. */
  function read(text) {
    const plain = text.replace(/\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
    const found = [];
    const open = [];
    let [start, parentheses] = [0, 0];
    const lineOf = (at) => plain.slice(0, at).split("\n").length;
    for (let at = 0; at < plain.length; at++) {
      const sign = plain[at];
      if (sign === '"' || sign === "'") at = plain.indexOf(sign, at + 1);
      else if (sign === "(") parentheses++;
      else if (sign === ")") parentheses--;
      else if (!parentheses && "{};".includes(sign)) {
        const words = plain.slice(start, at);
        const one = { words: words.trim().replace(/\s+/g, " "), line: lineOf(start + words.length - words.trimStart().length), within: [...open] };
        start = at + 1;
        if (sign === "{") found.push({ ...one, rule: true });
        else if (one.words && open.length) found.push(one);
        if (sign === "{") open.push(one.words);
        if (sign === "}") open.pop();
      }
    }
    return found;
  }

  const all = Object.entries(sheets).flatMap(([name, text]) => read(text).map((one) => ({ ...one, name })));
  const declarations = all.filter(({ rule }) => !rule).map((one) => {
    const colon = one.words.indexOf(":");
    return { ...one, property: one.words.slice(0, colon).trim(), value: one.words.slice(colon + 1).trim() };
  });
  const tokens = new Map();
  for (const { property, value } of declarations)
    if (property.startsWith("--") && !tokens.has(property) && !/^(inherit|initial|unset)$/.test(value)) tokens.set(property, value);

  /** A value without var() and env(), because an engine keeps anything that has them; null where a page sets one by script. */
  function resolve(value) {
    const call = /\b(var|env)\(/.exec(value);
    if (!call) return value;
    let [end, depth] = [call.index + call[0].length, 1];
    for (; depth; end++) depth += { "(": 1, ")": -1 }[value[end]] ?? 0;
    const inner = value.slice(call.index + call[0].length, end - 1);
    const [name, ...rest] = inner.split(",");
    const fallback = rest.length ? rest.join(",").trim() : null;
    const known = call[1] === "env" ? (fallback ?? "0px") : (tokens.get(name.trim()) ?? fallback);
    return known === null ? null : resolve(value.slice(0, call.index) + known + value.slice(end));
  }

  /** Prefixed names are for one engine; the others do not know them at all. */
  const elsewhere = (property) => /^-\w/.test(property) && !(property in document.documentElement.style);
  function keeps({ property, value, within }) {
    if (property.startsWith("--") || elsewhere(property)) return true;
    const wanted = resolve(value);
    if (wanted === null) return true;
    const around = within.at(-1).startsWith("@font-face") ? "@font-face" : within.at(-1).startsWith("@page") ? "@page" : "a";
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${around} { ${property}: ${wanted} }`);
    return sheet.cssRules[0]?.style.length > 0;
  }

  const nowhere = document.createDocumentFragment();
  function selects({ words, within }) {
    if (words.startsWith("@") || within.some((one) => one.startsWith("@keyframes"))) return true;
    const nested = within.some((one) => !one.startsWith("@"));
    try {
      nowhere.querySelector(nested ? `:is(a) ${words.replaceAll("&", ":is(a)")}` : words);
      return true;
    } catch {
      return false;
    }
  }

  const describe = ({ name, line, within, words }) => `${name}:${line}: ${[...within, words].join(" { ")}`;
  return {
    checked: declarations.length,
    rejected: [...declarations.filter((one) => !keeps(one)), ...all.filter((one) => one.rule && !selects(one))].map(describe),
  };
}
