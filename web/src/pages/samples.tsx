/** The elements of all pages on one page, for contributors (`/samples`, docs/design.md). */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { FacePicture } from "../board/domino.tsx";
import { SET_120 } from "../data.ts";
import { t, tt } from "../i18n.ts";
import { Portrait } from "../ui/portrait.tsx";
import { TurnBar } from "../panels/turn-bar.tsx";
import { Grade } from "../problems/grade.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { useTitle } from "../shell/hooks.ts";
import { Radios } from "../shell/radios.tsx";
import { castName } from "../state/cast.ts";
import { Icon, ICON_NAMES } from "../ui/icon.tsx";

const steps = (name: string, count: number) => Array.from({ length: count }, (_, i) => `--${name}-${i + 1}`);

const TYPE = steps("type", 6).reverse();
const WEIGHTS = ["--reading", "--strong", "--display"];
const SPACES = steps("space", 8);
const SHAPES = ["--radius-small", "--radius", "--radius-large", "--pill"];
const SHADOWS = ["--shadow", "--shadow-high"];
const INKS = ["--text", "--soft", "--accent", "--warn"];
const GROUNDS = ["--ground", "--paper", "--line", "--accent-soft", "--cloth", "--cloth-edge"];
const WOODS = [
  "--wood",
  "--edge",
  "--lit",
  "--seam",
  "--frame",
  "--frame-edge",
  "--sack",
  "--gold",
  "--star",
  "--coin",
  "--sand",
];
const DISCS = ["--R", "--Y", "--G", "--B"];
const SEATS = Array.from({ length: 10 }, (_, i) => i);
const TIMES = ["--quick", "--move", "--scene", "--beat"];
const CURVES = ["--ease", "--leave", "--sway", "--bounce"];

const LEVELS = ["novice", "easy", "medium", "strong", "expert"];

const token = (name: string) => `var(${name})`;

export default function Samples() {
  useTitle(t("samples"));
  return (
    <div class="page samples">
      <h1>{t("samples")}</h1>
      <Part name="type" kind="stack">
        {TYPE.map((name) => (
          <p key={name} style={{ fontSize: token(name) }}>
            Dalapapa <code>{name}</code>
          </p>
        ))}
        {WEIGHTS.map((name) => (
          <p key={name} style={{ fontWeight: token(name) }}>
            {t("credits")} <code>{name}</code>
          </p>
        ))}
      </Part>
      <Part name="space">
        {SPACES.map((name) => (
          <Swatch
            key={name}
            name={name}
            style={{ width: token(name), background: token("--accent"), borderRadius: 0 }}
          />
        ))}
        {SHAPES.map((name) => (
          <Swatch key={name} name={name} style={{ borderRadius: token(name) }} />
        ))}
        {SHADOWS.map((name) => (
          <Swatch key={name} name={name} style={{ boxShadow: token(name) }} />
        ))}
      </Part>
      <Part name="colours">
        {INKS.map((name) => (
          <b key={name} style={{ color: token(name) }}>
            {name}
          </b>
        ))}
        {[...GROUNDS, ...WOODS, ...DISCS].map((name) => (
          <Swatch key={name} name={name} style={{ background: token(name) }} />
        ))}
        {SEATS.map((seat) => (
          <span key={seat} class={`token seat-${seat}`}>
            {seat + 1}
          </span>
        ))}
      </Part>
      <Part name="motion">
        <Motion />
      </Part>
      <Part name="icons">
        {ICON_NAMES.map((name) => (
          <figure key={name} class="stack tight large swatch">
            <Icon name={name} />
            <code>{name}</code>
          </figure>
        ))}
      </Part>
      <Part name="parts" kind="stack loose">
        <Parts />
      </Part>
    </div>
  );
}

function Part({ name, kind = "row foot", children }: { name: string; kind?: string; children: ComponentChildren }) {
  return (
    <section class={`samples-${name}`} aria-labelledby={name}>
      <h2 id={name}>{tt(`samples_${name}`)}</h2>
      <div class={kind}>{children}</div>
    </section>
  );
}

function Swatch({ name, style }: { name: string; style: Record<string, string | number> }) {
  return (
    <figure class="stack tight swatch">
      <i style={style} />
      <code>{name}</code>
    </figure>
  );
}

/** Discs that go from one end to the other, each as long or in the way that its token says. */
function Motion() {
  const there = useSignal(false);
  return (
    <>
      <button type="button" aria-pressed={there.value} onClick={() => (there.value = !there.value)}>
        <Icon name="play" /> {t("samples_motion")}
      </button>
      {[...TIMES, ...CURVES].map((name) => {
        const how = TIMES.includes(name)
          ? { transitionDuration: token(name) }
          : { transitionTimingFunction: token(name), transitionDuration: token("--beat") };
        return (
          <figure key={name} class="stack tight swatch way">
            <i class={there.value ? "there" : ""} style={how} />
            <code>{name}</code>
          </figure>
        );
      })}
    </>
  );
}

function Parts() {
  const open = useSignal(false);
  const chosen = useSignal("light");
  const face = useSignal("easy");
  return (
    <>
      <p class="buttons">
        <button type="button" class="primary big">
          {t("play_now")}
        </button>
        <button type="button" class="primary">
          {t("end_turn")} <kbd>E</kbd>
        </button>
        <button type="button">{t("undo")}</button>
        <button type="button" aria-pressed="true">
          {t("flip")}
        </button>
        <button type="button" disabled>
          {t("pass")}
        </button>
        <button type="button" class="danger">
          {t("forget")}
        </button>
        <button type="button" class="tool" aria-label={t("settings")} title={t("settings")}>
          <Icon name="settings" />
        </button>
        <button type="button" class="round" aria-label={t("turn")} title={t("turn")}>
          <Icon name="turn" />
        </button>
        <button type="button" class="link">
          {t("rules")}
        </button>
      </p>
      <TurnBar seat={0} mine text={t("your_turn")} spoken={null} notice={null} />
      <TurnBar seat={1} mine={false} text={t("free_seat")} spoken={null} notice={null} />
      <TurnBar seat={0} mine={false} text="" notice={{ code: "", text: t("broken_part") }} />
      <ol class="players">
        {["Ann", "Bob"].map((name, seat) => (
          <li key={name} class={`player seat-${seat}${seat ? "" : " acting"}`}>
            <span class="token" aria-hidden="true">
              {seat + 1}
            </span>
            <span class="who">
              <span class="name">{name}</span>
              <small>{t("you")}</small>
            </span>
            <b class="score">{42 - seat}</b>
          </li>
        ))}
      </ol>
      <p class="number">
        42 <span class="large">42</span> <span class="lead">42</span> <span class="soft">42</span>{" "}
        <span class="good">42</span> <span class="notice">42</span>
      </p>
      <div class="card row cloth centred sample">
        <FacePicture tile="DRYGB" side="+" set={SET_120} label={t("sample")} />
        <FacePicture tile="ZBGRY" side="-" set={SET_120} label={t("sample")} />
      </div>
      <div class="cards">
        <a class="card" href="/lesson">
          <b class="lead">{t("lesson")}</b>
          <br />
          {t("first_visit_text")}
        </a>
        <a class="card" href="/problems">
          <b class="lead">{t("problems")}</b>
          <br />
          <Grade grade={3} />
        </a>
      </div>
      <nav class="row" aria-label={t("pages")}>
        <a class="chip" aria-current="page" href="/samples">
          {t("samples")}
        </a>
        <a class="chip" href="/dominoes">
          {t("dominoes")}
        </a>
      </nav>
      <Radios
        legend={t("setting_theme")}
        name="samples"
        of={["auto", "light", "dark"]}
        value={chosen.value}
        word={(one) => tt(`theme_${one}`)}
        onChoose={(one) => (chosen.value = one)}
      />
      <Radios
        legend={t("opponent")}
        name="faces"
        kind="pictures"
        of={LEVELS}
        value={face.value}
        picture={(one) => <Portrait of={one} />}
        word={(one) => <b>{castName(one)}</b>}
        onChoose={(one) => (face.value = one)}
      />
      <i class="bar" style={{ "--share": 0.6 }} />
      <div class="columns">
        <label class="field-row">
          <span>{t("your_name")}</span>
          <input placeholder="Ann" />
        </label>
        <label class="field-row">
          <span>{t("your_name")}</span>
          <input aria-invalid="true" value="?" />
        </label>
        <label class="field-row">
          <span>{t("language")}</span>
          <select>
            <option>Français</option>
            <option>Deutsch</option>
          </select>
        </label>
      </div>
      <div class="row foot">
        <label class="field-row small">
          <span>{t("solver_width")}</span>
          <input type="number" value="8" />
        </label>
        <label class="field-row small">
          <span>{t("solver_height")}</span>
          <input type="number" value="10" />
        </label>
      </div>
      <label class="switch">
        <input type="checkbox" role="switch" checked />
        <span>{t("setting_sound")}</span>
      </label>
      <details class="more" open>
        <summary>{t("more_options")}</summary>
        <p>{t("credits")}</p>
      </details>
      <table>
        <thead>
          <tr>
            <th>{t("players")}</th>
            <th>{t("rules")}</th>
          </tr>
        </thead>
        <tbody>
          {["Ann", "Bob"].map((name) => (
            <tr key={name}>
              <td>{name}</td>
              <td>42</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">{t("missing_text")}</p>
      <p class="tinted">{t("missing_text")}</p>
      <p class="tinted feedback">{t("missing_text")}</p>
      <p class="tinted feedback poor">{t("missing_text")}</p>
      <p class="trouble">{t("broken_part")}</p>
      <div class="cloth sample samples-toast">
        <p class="toast">{t("analysis_empty")}</p>
      </div>
      <p>
        <button type="button" onClick={() => (open.value = true)}>
          {t("table_menu")}
        </button>
      </p>
      {open.value && (
        <Dialog title={t("table_menu")} onClose={() => (open.value = false)}>
          <p>{t("credits")}</p>
        </Dialog>
      )}
    </>
  );
}
