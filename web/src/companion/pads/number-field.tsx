/** A number as it is typed. */
export function NumberField({
  label,
  value,
  isWrong,
  onInput,
}: {
  label: string;
  value: string;
  isWrong: boolean;
  onInput(text: string): void;
}) {
  return (
    <label class="field-row small">
      <span>{label}</span>
      <input
        inputMode="numeric"
        value={value}
        aria-invalid={isWrong}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}
