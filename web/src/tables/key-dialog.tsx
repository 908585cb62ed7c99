/** What each key does. */
import { Fragment } from "preact";
import type { GameKey } from "../games/game.ts";
import { t } from "../i18n.ts";
import { Dialog } from "../shell/dialog.tsx";

const LAYING: readonly GameKey[] = [
  { keys: ["1", "2"], text: "key_choose" },
  { keys: ["←", "↑", "→", "↓"], text: "key_walk" },
  { keys: ["R", "⇧ R"], text: "key_turn" },
  { keys: ["F"], text: "key_flip" },
  { keys: ["Enter"], text: "key_lay" },
  { keys: ["E"], text: "key_end" },
  { keys: ["U"], text: "key_undo" },
  { keys: ["P"], text: "pass" },
];

const LOOKING: readonly GameKey[] = [
  { keys: ["Esc"], text: "key_cancel" },
  { keys: ["W"], text: "key_words" },
  { keys: ["S"], text: "key_standing" },
  { keys: ["L"], text: "layings_list" },
  { keys: ["+", "−", "0"], text: "key_zoom" },
  { keys: ["T"], text: "turn_table" },
  { keys: ["?"], text: "key_help" },
];

interface KeyDialogProps {
  /** What the game adds. */
  keys?: readonly GameKey[];
  onClose(): void;
}

export function KeyDialog({ keys: added = [], onClose }: KeyDialogProps) {
  return (
    <Dialog title={t("keys")} read onClose={onClose}>
      <table class="keys">
        <tbody>
          {[...LAYING, ...added, ...LOOKING].map(({ keys, text }) => (
            <tr key={text}>
              <th scope="row">
                {keys.map((key) => (
                  <Fragment key={key}>
                    <kbd>{key}</kbd>{" "}
                  </Fragment>
                ))}
              </th>
              <td>{t(text)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
