/** Error boundaries: a part that fails is replaced by a sentence and a way on; the rest of the page goes on. */
import { Component, type ComponentChildren, type ComponentType } from "preact";
import { t } from "../i18n.ts";
import { AnnouncedText } from "./announced-text.tsx";

interface BoundaryProps {
  /** A part of a page can be tried again; a page is loaded again. */
  part?: boolean;
  /** An ornament that fails is left out. */
  ornament?: boolean;
  children: ComponentChildren;
}

export class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  override componentDidCatch(error: unknown): void {
    console.error(error); // For developers.
    this.setState({ failed: true });
  }

  override render({ part, ornament, children }: BoundaryProps) {
    if (!this.state.failed) return children;
    if (ornament) return null;
    return part ? <BrokenPart onAgain={() => this.setState({ failed: false })} /> : <BrokenPage />;
  }
}

/** A part of a page inside a boundary of its own. */
export function withBoundary<P extends object>(Part: ComponentType<P>): (props: P) => ComponentChildren {
  return (props) => (
    <Boundary part>
      <Part {...props} />
    </Boundary>
  );
}

function BrokenPage() {
  return (
    <AnnouncedText as="section" class="page narrow" manner="urgent">
      <h1>{t("broken_title")}</h1>
      <p>{t("broken_text")}</p>
      <p class="buttons">
        <button type="button" class="primary" onClick={() => location.reload()}>
          {t("reload")}
        </button>
        <a class="button" href="/">
          {t("home")}
        </a>
      </p>
    </AnnouncedText>
  );
}

function BrokenPart({ onAgain }: { onAgain(): void }) {
  return (
    <AnnouncedText class="trouble" manner="urgent">
      {t("broken_part")}{" "}
      <button type="button" onClick={onAgain}>
        {t("try_again")}
      </button>{" "}
      <button type="button" onClick={() => location.reload()}>
        {t("reload")}
      </button>
    </AnnouncedText>
  );
}
