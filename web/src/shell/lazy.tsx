/** Parts of pages that are loaded when they are wanted. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Boundary } from "./boundary.tsx";

/** A component that is loaded when it is first shown; `until` then, a placeholder of the same size. */
export function loadLazily<P extends object>(
  load: () => Promise<ComponentType<P>>,
  until: ComponentChildren = null,
): ComponentType<P> {
  const Loaded = (props: P) => {
    const part = useSignal<ComponentType<P> | null>(null);
    const failed = useSignal<unknown>(null);
    useEffect(
      () =>
        void load().then(
          (loaded) => (part.value = loaded),
          (error: unknown) => (failed.value = error),
        ),
      [],
    );
    if (failed.value) throw failed.value; // For the boundary, which offers to try again.
    const Part = part.value;
    return Part ? <Part {...props} /> : until;
  };
  return (props) => (
    <Boundary part>
      <Loaded {...props} />
    </Boundary>
  );
}
