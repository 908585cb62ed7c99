/** What each key does. */
import { t, type TextName } from "../i18n.ts";
import { Dialog } from "../shell/dialog.tsx";
import { helpOpen } from "./keys.ts";

const KEYS: [string[], TextName][] = [
  [["1", "2"], "key_choose"],
  [["←", "↑", "→", "↓"], "key_walk"],
  [["R", "⇧ R"], "key_turn"],
  [["F"], "key_flip"],
  [["Enter"], "key_lay"],
  [["E"], "key_end"],
  [["U"], "key_undo"],
  [["P"], "key_pass"],
  [["B", "M"], "key_panel"],
  [["N"], "key_decline"],
  [["A"], "key_replay"],
  [["⌫"], "put_back"],
  [["H"], "show_place"],
  [["0 … 9"], "announce_points"],
  [["Esc"], "key_cancel"],
  [["+", "−", "0"], "key_zoom"],
  [["?"], "key_help"],
];

export function KeyHelp() {
  if (!helpOpen.value) return null;
  return (
    <Dialog title={t("keys")} onClose={() => (helpOpen.value = false)}>
      <table class="keys">
        <tbody>
          {KEYS.map(([keys, text]) => (
            <tr key={text}>
              <th scope="row">{keys.map((key) => <kbd key={key}>{key}</kbd>)}</th>
              <td>{t(text)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
