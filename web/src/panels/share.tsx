/** A link to give away: shared on a phone, copied elsewhere, and shown where neither is allowed. */
import { useSignal } from "@preact/signals";
import { t } from "../i18n.ts";
import { announce } from "../state/voice.ts";
import { Icon } from "../ui/icon.tsx";

export interface ShareProps {
  url(): string;
  title: string;
  label: string;
  kind?: string;
  /** A text before the link. */
  text?(): string;
}

export function ShareButton({ url, title, label, kind = "", text }: ShareProps) {
  const copied = useSignal(false);
  const shown = useSignal<string | null>(null);
  const share = async () => {
    const link = url();
    const words = text?.();
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      try {
        await navigator.share({ title, url: link, ...(words && { text: words }) });
        return;
      } catch (error) {
        if ((error as Error).name === "AbortError") return;
      }
    }
    try {
      await navigator.clipboard.writeText(words ? `${words}\n${link}` : link);
      copied.value = true;
      announce(t("copied"));
      setTimeout(() => (copied.value = false), 2500);
    } catch {
      shown.value = link;
    }
  };
  if (shown.value !== null) {
    return (
      <label class="share-link">
        <span class="hidden">{label}</span>
        <input
          readOnly
          value={shown.value}
          ref={(input) => input?.select()}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
    );
  }
  return (
    <button type="button" class={kind} onClick={() => void share()}>
      <Icon name={copied.value ? "done" : "link"} /> {copied.value ? t("copied") : label}
    </button>
  );
}

/** Give a picture to another app where that can be done, as on a phone; else put it into the downloads. */
export async function givePicture(canvas: HTMLCanvasElement, name: string, text: string): Promise<void> {
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (!picture) return;
  const file = new File([picture], `${name}.png`, { type: "image/png" });
  const shared = { files: [file], text };
  if (navigator.canShare?.(shared) && matchMedia("(pointer: coarse)").matches) {
    await navigator.share(shared).catch(() => undefined); // Not now, after all.
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(link.href);
}
