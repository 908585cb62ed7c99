/** Small signs that no font is sure to have. */
const PATHS = {
  first: "M6 5v14M19 5L9 12l10 7z",
  turnBack: "M12 5L3 12l9 7zM21 5l-9 7 9 7z",
  back: "M16 5L7 12l9 7z",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  forward: "M8 5l9 7-9 7z",
  turnForward: "M12 5l9 7-9 7zM3 5l9 7-9 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  link: "M10 14a4.5 4.5 0 0 0 6.4 0l3-3A4.5 4.5 0 0 0 13 4.6l-1 1M14 10a4.5 4.5 0 0 0-6.4 0l-3 3A4.5 4.5 0 0 0 11 19.4l1-1",
  done: "M5 13l5 5L19 7",
  speech: "M4 5h16v11H11l-5 4v-4H4z",
  eye: "M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  frame: "M4 5h16v14H4zM12 5v7M4 12h16M16 12v7",
};

export type IconName = keyof typeof PATHS;

const LINES: readonly IconName[] = ["link", "done", "frame", "speech", "eye"];

/** Filled where the sign is an arrow, lines elsewhere. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={LINES.includes(name) ? "icon lines" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
