/**
 * The icons: one hand, on a grid of 24, in lines of one width with round ends, with discs and half-discs where it can
 * be.
 */

/** Lines, and what is filled. */
const ICONS = {
  arrow: { lines: "M5 12h14M13 6l6 6-6 6" },
  away: { lines: "M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10z" },
  back: { solid: "M15 6.5L7.5 12l7.5 5.5z" },
  bag: {
    lines:
      "M8.5 7.5C4 11 2.5 15 4 18.5 5 20.5 8 21 12 21s7-.5 8-2.5c1.5-3.5 0-7.5-4.5-11M8 7.5h8M9.5 7.5L7.5 3q4.5 2 9 0l-2 4.5",
  },
  bell: { lines: "M12 3v2M5 17h14M6.5 17v-6.5a5.5 5.5 0 0 1 11 0V17", solid: "M10 20.5h4a2 2 0 0 1-4 0z" },
  chevron: { lines: "M9 6l6 6-6 6" },
  clock: { lines: "M12 5.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM12 9v4l3 2M10 2.5h4" },
  close: { lines: "M6 6l12 12M18 6L6 18" },
  done: { lines: "M5 12.5l5 5L19 7" },
  domino: {
    lines: "M5 7h14a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2z",
    solid: "M9 8h6a3 3 0 0 1-6 0z",
  },
  eye: { lines: "M3 13a9.5 9.5 0 0 1 18 0", solid: "M12 10a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z" },
  first: { lines: "M6 6v12", solid: "M18 6.5L10.5 12l7.5 5.5z" },
  fit: { lines: "M4 9V5a1 1 0 0 1 1-1h4M15 4h4a1 1 0 0 1 1 1v4M20 15v4a1 1 0 0 1-1 1h-4M9 20H5a1 1 0 0 1-1-1v-4" },
  flip: {
    lines: "M3 12h2M8.5 12h2M13.5 12h2M19 12h2M6.5 15.5a5.5 5.5 0 0 0 11 0z",
    solid: "M6.5 8.5a5.5 5.5 0 0 1 11 0z",
  },
  forward: { solid: "M9 6.5l7.5 5.5L9 17.5z" },
  frame: { lines: "M4 5h16v14H4zM12 5v7M4 12h16M16 12v7" },
  here: { solid: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8z" },
  last: { lines: "M18 6v12", solid: "M6 6.5l7.5 5.5L6 17.5z" },
  latest: { lines: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16z", solid: "M12 10a2 2 0 1 1 0 4 2 2 0 0 1 0-4z" },
  link: {
    lines:
      "M10 14a4.5 4.5 0 0 0 6.4 0l3-3A4.5 4.5 0 0 0 13 4.6l-1 1M14 10a4.5 4.5 0 0 0-6.4 0l-3 3A4.5 4.5 0 0 0 11 19.4l1-1",
  },
  lock: { lines: "M7.5 11V8.5a4.5 4.5 0 0 1 9 0V11", solid: "M6 11h12v7a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2z" },
  lying: { lines: "M5 6.5h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2z" },
  menu: { lines: "M4 7h16M4 12h16M4 17h16" },
  minus: { lines: "M5 12h14" },
  mute: { lines: "M16 9.5l5 5M21 9.5l-5 5", solid: "M4 9.5h3.5l4.5-4v13l-4.5-4H4z" },
  pause: { lines: "M8.5 6v12M15.5 6v12" },
  play: { solid: "M8 6l9.5 6L8 18z" },
  plus: { lines: "M12 5v14M5 12h14" },
  program: { lines: "M12 3v2.5M4 14.5a8 8 0 0 1 16 0V18a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM9 14v.5M15 14v.5" },
  settings: {
    lines: "M4 8h4M18 8h2M4 16h2M16 16h4",
    solid: "M13 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM11 13.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
  },
  sound: { lines: "M15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11", solid: "M4 9.5h3.5l4.5-4v13l-4.5-4H4z" },
  speech: { lines: "M4.5 20l1.200-3.800a8 8 0 1 1 2.800 2.6z" },
  star: { solid: "M12 4l2.4 5 5.5.7-4 3.800 1 5.5-4.900-2.700L7.100 19l1-5.5-4-3.800L9.6 9z" },
  turn: { lines: "M19.5 12A7.5 7.5 0 1 1 17 6.4l2.5 2.100M19.5 4v4.5H15" },
  turnBack: { solid: "M11 6.5L3.5 12l7.5 5.5zM20 6.5L12.5 12l7.5 5.5z" },
  turnForward: { solid: "M13 6.5l7.5 5.5-7.5 5.5zM4 6.5l7.5 5.5L4 17.5z" },
  upright: { lines: "M8.5 3h7a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z" },
  warning: { lines: "M12 4L3 19.5h18zM12 10v4M12 16.900v.1" },
} satisfies Record<string, { lines?: string; solid?: string }>;

export type IconName = keyof typeof ICONS;

export const ICON_NAMES = Object.keys(ICONS) as IconName[];

/** For the eye alone: the element around it has words for screen readers. */
export function Icon({ name }: { name: IconName }) {
  const { lines, solid }: { lines?: string; solid?: string } = ICONS[name];
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {lines && <path d={lines} />}
      {solid && <path class="solid" d={solid} />}
    </svg>
  );
}
