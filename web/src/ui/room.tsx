/**
 * A page with a board is a room: the board, words beside it, a tray below it and perhaps a pool; `room.css` says where.
 */
import type { AsideHTMLAttributes, ComponentChildren, HTMLAttributes } from "preact";

type With<Attributes> = Attributes & { class?: string };

interface RoomProps {
  /** `turn-room`, `race`, `lesson` or `study`, and what it is besides. */
  kind: string;
  /** The id of the heading, on pages whose words come before the board. */
  title?: string;
  board: ComponentChildren;
  side: ComponentChildren;
  tray?: ComponentChildren;
  /** The stock from which dominoes are taken. */
  pool?: ComponentChildren;
  /** Attributes of the parts' elements. */
  of?: Partial<Record<"room" | "board" | "tray", With<HTMLAttributes<HTMLDivElement>>>> & {
    side?: With<AsideHTMLAttributes<HTMLElement>>;
  };
  /** Elements over the whole room. */
  children?: ComponentChildren;
}

export function Room({ kind, title, board, side, tray, pool, of = {}, children }: RoomProps) {
  const study = kind.startsWith("study");
  const and = (more?: { class?: string }) => (more?.class ? ` ${more.class}` : "");
  const beside = (
    <aside key="side" {...of.side} class={`room-side${and(of.side)}`}>
      {side}
    </aside>
  );
  return (
    <div {...of.room} class={`room ${kind}`}>
      {title && (
        <section class="room-side words" aria-labelledby={title}>
          {side}
        </section>
      )}
      <div {...of.board} class={`room-board${and(of.board)}`}>
        {board}
      </div>
      {!title && !study && beside}
      {tray && (
        <div {...of.tray} class={`room-tray${and(of.tray)}`}>
          {tray}
        </div>
      )}
      {study && beside}
      {pool && <div class="room-pool">{pool}</div>}
      {children}
    </div>
  );
}
