/** As much of a document as Preact needs to draw into: nothing is shown, and tests count what is drawn. */
export class FakeNode {
  readonly childNodes: FakeNode[] = [];
  parentNode: FakeNode | null = null;
  readonly attributes: unknown[] = [];
  readonly style = {};
  data = "";

  constructor(
    readonly localName: string,
    readonly nodeType = 1,
  ) {}

  get firstChild(): FakeNode | null {
    return this.childNodes[0] ?? null;
  }

  get nextSibling(): FakeNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  insertBefore(node: FakeNode, before: FakeNode | null): FakeNode {
    node.remove();
    const place = before ? this.childNodes.indexOf(before) : this.childNodes.length;
    this.childNodes.splice(place, 0, node);
    node.parentNode = this;
    return node;
  }

  appendChild(node: FakeNode): FakeNode {
    return this.insertBefore(node, null);
  }

  remove(): void {
    const siblings = this.parentNode?.childNodes;
    siblings?.splice(siblings.indexOf(this), 1);
    this.parentNode = null;
  }

  setAttribute(): void {}
  removeAttribute(): void {}
  addEventListener(): void {}
  removeEventListener(): void {}

  contains(node: FakeNode | null): boolean {
    return node !== null && (node === this || this.contains(node.parentNode));
  }

  querySelector(): null {
    return null;
  }
}

/** Where to draw. */
export function createRoot(): Element {
  Object.assign(document, {
    createElementNS: (_: string, name: string) => new FakeNode(name),
    createElement: (name: string) => new FakeNode(name),
    createTextNode: (data: string) => Object.assign(new FakeNode("", 3), { data }),
  });
  return new FakeNode("div") as unknown as Element;
}
