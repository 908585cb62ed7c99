/** One of several, chosen by a radio button: with a word, and perhaps a picture instead of the button. */
import type { ComponentChildren } from "preact";

export function Radios<T extends string>({
  legend,
  name,
  of,
  value,
  word,
  picture,
  kind = "choices",
  onChoose,
  children,
}: {
  legend: string;
  name: string;
  of: readonly T[];
  value: T | undefined;
  word(choice: T): ComponentChildren;
  picture?(choice: T): ComponentChildren;
  kind?: string;
  onChoose(choice: T): void;
  children?: ComponentChildren;
}) {
  return (
    <fieldset class={kind}>
      <legend>{legend}</legend>
      {of.map((choice) => (
        <label key={choice} class={picture ? undefined : "chip"}>
          <input
            class={picture && "hidden"}
            type="radio"
            name={name}
            checked={value === choice}
            onChange={() => onChoose(choice)}
          />
          {picture?.(choice)}
          <span>{word(choice)}</span>
        </label>
      ))}
      {children}
    </fieldset>
  );
}
