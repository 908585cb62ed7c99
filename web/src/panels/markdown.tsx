/** Pages of the rulebook: one line is one heading, paragraph, item or figure; bold and italics inside. */
import type { ComponentChildren } from "preact";

export type Block =
  | { kind: "title"; text: string }
  | { kind: "heading"; text: string; id: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; items: string[] }
  | { kind: "figure"; caption: string; name: string };

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    const figure = /^!\[(.*)\]\(figure:([^)]+)\)$/.exec(line);
    if (!line) continue;
    if (figure) found.push({ kind: "figure", caption: figure[1] ?? "", name: figure[2] ?? "" });
    else if (line.startsWith("## "))
      found.push({
        kind: "heading",
        text: line.slice(3),
        id: `part-${found.filter(({ kind }) => kind === "heading").length + 1}`,
      });
    else if (line.startsWith("# ")) found.push({ kind: "title", text: line.slice(2) });
    else if (line.startsWith("- ")) {
      const last = found.at(-1);
      if (last?.kind === "list") last.items.push(line.slice(2));
      else found.push({ kind: "list", items: [line.slice(2)] });
    } else found.push({ kind: "paragraph", text: line });
  }
  return found;
}

/** `**bold**` and `*italics*`. */
export function inline(text: string): ComponentChildren[] {
  return text
    .split(/(\*\*[^*]+\*\*|\*[^*]+\*)/)
    .filter(Boolean)
    .map((part, i) =>
      part.startsWith("**") ? (
        <strong key={i}>{part.slice(2, -2)}</strong>
      ) : part.startsWith("*") ? (
        <em key={i}>{part.slice(1, -1)}</em>
      ) : (
        part
      ),
    );
}
