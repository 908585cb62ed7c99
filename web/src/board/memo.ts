/** A component that is drawn again only when its properties change; `same` may know better when that is. */
import { Component, type ComponentType, h } from "preact";

export function memo<P extends object>(Part: ComponentType<P>, same = alike<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return !same(this.props as P, next);
    }

    override render() {
      return h(Part, this.props as P);
    }
  };
}

function alike<P extends object>(one: P, other: P): boolean {
  const names = Object.keys(other) as (keyof P)[];
  return names.length === Object.keys(one).length && names.every((name) => one[name] === other[name]);
}
