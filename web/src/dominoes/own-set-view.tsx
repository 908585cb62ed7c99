/** A set of one's own: loaded from a file, typed or tapped in, checked, and played with. */
import { FacePicture } from "../board/domino.tsx";
import { TileSet } from "../data.ts";
import { t, tt } from "../i18n.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { keepOwnText, ownSet, ownText } from "../state/own-set.ts";
import {
  CHECKED_FACTS,
  checkFacts,
  MAX_DOMINOES,
  readSet,
  type SetRow,
  type SetTrouble,
  toTiles,
} from "../state/set-file.ts";
import { Icon } from "../ui/icon.tsx";
import { attribute, faceInWords } from "../words.ts";
import { TapDomino } from "./tap-domino.tsx";

export function OwnSet() {
  const text = ownText.value;
  const rows = ownSet.value;
  const found = text.trim() ? readSet(text) : null;
  const load = async (files: FileList | null) => {
    const file = files?.item(0);
    if (file) keepOwnText(await file.text());
  };
  return (
    <div class="stack own-set">
      <label class="field-row">
        <span>{t("own_text")}</span>
        <textarea
          rows={6}
          spellcheck={false}
          autocomplete="off"
          value={text}
          aria-invalid={!!found && "trouble" in found}
          aria-describedby="own-trouble"
          onInput={(event) => keepOwnText(event.currentTarget.value)}
        />
      </label>
      <label class="field-row">
        <span>{t("own_file")}</span>
        <input
          type="file"
          accept=".csv,.json,text/csv,application/json"
          onChange={(event) => {
            void load(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
      </label>
      {found && "trouble" in found && (
        <AnnouncedText id="own-trouble" class="trouble" manner="urgent">
          {troubleInWords(found.trouble)}
        </AnnouncedText>
      )}
      <TapDomino />
      {rows && <Checked rows={rows} />}
    </div>
  );
}

const troubleInWords = ({ reason, line }: SetTrouble): string =>
  tt(`own_trouble_${reason}`, { line, most: MAX_DOMINOES });

function Checked({ rows }: { rows: readonly SetRow[] }) {
  const facts = checkFacts(rows);
  const set = new TileSet(toTiles(rows));
  return (
    <>
      <AnnouncedText later as="section" class="tinted stack">
        <strong>{t("own_set", { count: rows.length })}</strong>
        <ul class="stack">
          {CHECKED_FACTS.map((fact, i) => (
            <li key={fact} class="row tied">
              <Icon name={facts[i] ? "done" : "close"} />
              <span>
                <span class="hidden">{t(facts[i] ? "own_holds" : "own_fails")} </span>
                {tt(`dominoes_fact_${fact}`)}
              </span>
            </li>
          ))}
        </ul>
      </AnnouncedText>
      <div class="buttons">
        <a class="button primary" href="/new">
          {t("own_play")}
        </a>
        <button type="button" class="danger" onClick={() => keepOwnText("")}>
          {t("own_forget")}
        </button>
      </div>
      <details>
        <summary>{t("own_show")}</summary>
        <ul class="cards">
          {set.tiles.map(({ name }) => (
            <li key={name} class="card domino-card">
              <div
                role="img"
                aria-label={attribute(name, `${faceInWords(name, "+", set)} – ${faceInWords(name, "-", set)}`)}
              >
                <b class="full domino-name">{name}</b>
                <FacePicture tile={name} side="+" set={set} />
                <FacePicture tile={name} side="-" set={set} />
              </div>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
