/** Links in the static edition: components name addresses as on a server, and browsers get those of the web host. */
import { options, type VNode } from "preact";
import { hrefOf } from "../base.ts";

/** From now on, every link to an address of ours leads to the folder of its page. */
export function adaptLinks(): void {
  // Browsers look for a relative icon again where the address of the page has changed.
  document.getElementById("icon")?.setAttribute("href", hrefOf("/icon.svg"));
  const before = options.vnode;
  options.vnode = (vnode: VNode) => {
    const props = vnode.props as { href?: unknown };
    if (vnode.type === "a" && typeof props.href === "string" && props.href.startsWith("/"))
      props.href = hrefOf(props.href);
    before?.(vnode);
  };
}
