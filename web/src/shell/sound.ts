/** Sounds, made here from a few tones; vibration; both only for those who want them. */
import type { Sound } from "../state/sounds.ts";
import { FELT } from "../state/sounds.ts";
import { settings } from "../state/settings.ts";

/** A tone: its pitch in hertz, when it begins and how long it rings in seconds, how loud it is. */
type Tone = readonly [pitch: number, at: number, length: number, loud: number, kind?: OscillatorType];

/** Soft, with different shapes: wood for a laying, bells upwards for what is gained. */
const TONES: Readonly<Record<Sound, readonly Tone[]>> = {
  laid: [
    [196, 0, 0.09, 0.9, "triangle"],
    [392, 0, 0.05, 0.35, "triangle"],
  ],
  closed: [
    [659, 0, 0.35, 0.5],
    [988, 0.09, 0.5, 0.5],
  ],
  big: [
    [523, 0, 0.35, 0.5],
    [659, 0.09, 0.35, 0.5],
    [784, 0.18, 0.4, 0.5],
    [1047, 0.27, 0.8, 0.6],
  ],
  nearly: [
    [587, 0, 0.2, 0.5, "triangle"],
    [587, 0.22, 0.4, 0.5, "triangle"],
  ],
  turn: [
    [523, 0, 0.5, 0.6],
    [784, 0.13, 0.6, 0.6],
  ],
  time: [[880, 0, 0.06, 0.4, "triangle"]],
  reminder: [
    [784, 0, 0.4, 0.6],
    [523, 0.16, 0.4, 0.6],
    [784, 0.32, 0.6, 0.6],
  ],
  count: [[392, 0, 0.15, 0.5]],
  go: [[784, 0, 0.35, 0.6]],
};

/** The loudest: these are sounds for a living room. */
const MAX_GAIN = 0.25;
const ATTACK_S = 0.012;

let audio: AudioContext | null = null;

/** Browsers let pages sound after a touch only: the first one wakes the speaker. */
function speaker(): AudioContext | null {
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") void audio.resume();
    return audio;
  } catch {
    return null; // No speaker, no sound.
  }
}

/** Make a sound immediately; `volume` from 0 to 1. */
export function sound(which: Sound, volume = settings.volume.peek()): void {
  const context = speaker();
  if (!context) return;
  const start = context.currentTime + 0.01;
  for (const [pitch, at, length, loud, kind = "sine"] of TONES[which]) {
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    tone.type = kind;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0, start + at);
    gain.gain.linearRampToValueAtTime(MAX_GAIN * volume * volume * loud, start + at + ATTACK_S);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + at + length);
    tone.connect(gain).connect(context.destination);
    tone.start(start + at);
    tone.stop(start + at + length);
  }
}

/** Whether this device can be felt at all. */
export const canVibrate = (): boolean =>
  typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches;

/** Let it be felt now, where that can be. */
export function vibrate(which: Sound): void {
  if (document.visibilityState === "visible" && canVibrate()) navigator.vibrate([...FELT[which]]);
}
