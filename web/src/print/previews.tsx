/** All pages of a print as they will be, and one of them large. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { t } from "../i18n.ts";
import { Backoff } from "../net/retry.ts";
import { Icon } from "../ui/icon.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { useKeydown } from "../shell/hooks.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import type { PrintedPage } from "../state/prints.ts";
import { itemAt } from "../values.ts";

/** Retries of a picture that did not arrive. */
const MAX_RETRIES = 3;
const FIRST_PAUSE_MS = 1500;

const source = (search: string, number: number) => `/api/print/page.svg${search}&page=${number}`;

interface PreviewsProps {
  pages: readonly PrintedPage[];
  /** The print as a query. */
  search: string;
  /** Front and back of a sheet lie side by side. */
  both: boolean;
  stale: boolean;
}

export function Previews({ pages, search, both, stale }: PreviewsProps) {
  const large = useSignal<number | null>(null);
  const first = itemAt(pages, 0);
  const sheets: number[][] = [];
  for (let at = 0; at < pages.length; at += both ? 2 : 1)
    sheets.push(both && at + 1 < pages.length ? [at, at + 1] : [at]);
  return (
    <>
      <ul
        class={`print-sheets ${both ? "both" : ""} ${first.width > first.height ? "landscape" : ""}`}
        aria-busy={stale}
      >
        {sheets.map((sheet) => (
          <li key={sheet[0]}>
            {sheet.map((at) => (
              <button
                key={at}
                type="button"
                class="bare small print-sheet"
                title={t("print_enlarge")}
                onClick={() => (large.value = at)}
              >
                <PagePicture page={itemAt(pages, at)} src={source(search, at + 1)} />
                <span aria-hidden="true">{pages[at]?.title}</span>
              </button>
            ))}
          </li>
        ))}
      </ul>
      {large.value !== null && large.value < pages.length && (
        <LargePage
          pages={pages}
          search={search}
          at={large.value}
          onTurn={(at) => (large.value = at)}
          onClose={() => (large.value = null)}
        />
      )}
    </>
  );
}

/** A page as a picture. The one before stays until the next has come. */
function PagePicture({ page, src, eager = false }: { page: PrintedPage; src: string; eager?: boolean }) {
  const tries = useSignal({ src, count: 0 });
  const backoff = useMemo(() => new Backoff(FIRST_PAUSE_MS), [src]);
  const count = tries.value.src === src ? tries.value.count : 0;
  const retryLater = () => {
    if (count < MAX_RETRIES) setTimeout(() => (tries.value = { src, count: count + 1 }), backoff.next());
  };
  return (
    <img
      loading={eager ? "eager" : "lazy"}
      decoding="async"
      src={count ? `${src}#${count}` : src}
      alt={page.title}
      width={Math.round(page.width * 4)}
      height={Math.round(page.height * 4)}
      onError={retryLater}
    />
  );
}

function LargePage({
  pages,
  search,
  at,
  onTurn,
  onClose,
}: {
  pages: readonly PrintedPage[];
  search: string;
  at: number;
  onTurn(at: number): void;
  onClose(): void;
}) {
  const page = itemAt(pages, at);
  useKeydown(({ key }) => {
    if (key === "ArrowLeft" && at > 0) onTurn(at - 1);
    if (key === "ArrowRight" && at < pages.length - 1) onTurn(at + 1);
  });
  return (
    <Dialog title={page.title} kind="print-large" onClose={onClose}>
      <div class="row centred">
        <button
          type="button"
          class="tool"
          aria-label={t("print_page_back")}
          title={t("print_page_back")}
          disabled={at === 0}
          onClick={() => onTurn(at - 1)}
        >
          <Icon name="back" />
        </button>
        <AnnouncedText as="span" later manner="chosen">
          {at + 1} / {pages.length}
        </AnnouncedText>
        <button
          type="button"
          class="tool"
          aria-label={t("print_page_on")}
          title={t("print_page_on")}
          disabled={at === pages.length - 1}
          onClick={() => onTurn(at + 1)}
        >
          <Icon name="forward" />
        </button>
      </div>
      <PagePicture key={at} page={page} src={source(search, at + 1)} eager />
    </Dialog>
  );
}
