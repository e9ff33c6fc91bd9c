/** A number that is typed, or moved by a slider. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { typedNumber, writtenNumber } from '../words/numbers.ts';
import type { SliderScale } from './slider-scale.ts';

export interface NumberFieldProps {
  readonly label: string;
  /** What it is and what is allowed, beneath the label. */
  readonly hint?: string;
  /** As it stands in the address. */
  readonly text: string;
  readonly scale?: SliderScale | undefined;
  readonly refusal?: string | undefined;
  /** Whether it may be left out. */
  readonly isOptional?: boolean;
  readonly onText: (text: string) => void;
}

export function NumberField({
  label,
  hint,
  text,
  scale,
  refusal,
  isOptional = false,
  onText,
}: NumberFieldProps): JSX.Element {
  const id = useId();
  // While somebody types, what stands there is theirs.
  const [typing, setTyping] = useState<string | null>(null);
  const value = typedNumber(text);
  const isLeftOut = isOptional && text === '';
  const wrong = Number.isNaN(value) && !isLeftOut ? 'must be a number' : refusal;
  return (
    <div class={`field${wrong === undefined ? '' : ' wrong'}`}>
      <div class="field-head">
        <label for={id}>{label}</label>
        <input
          id={id}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          spellcheck={false}
          value={typing ?? text}
          aria-invalid={wrong !== undefined}
          aria-describedby={`${id}-hint`}
          onInput={(event) => {
            setTyping(event.currentTarget.value);
            if (!Number.isNaN(typedNumber(event.currentTarget.value)))
              onText(writtenNumber(typedNumber(event.currentTarget.value)));
          }}
          onBlur={(event) => {
            const typed = event.currentTarget.value;
            setTyping(null);
            if (typing !== null && Number.isNaN(typedNumber(typed))) onText(typed);
          }}
        />
      </div>
      {scale !== undefined && (
        <input
          type="range"
          min={0}
          max={scale.last}
          step={1}
          aria-label={`${label}, slider`}
          aria-valuetext={text}
          value={Number.isNaN(value) ? 0 : scale.stopOf(value)}
          onInput={(event) => onText(writtenNumber(scale.valueAt(Number(event.currentTarget.value))))}
        />
      )}
      <p class="hint" id={`${id}-hint`} role={wrong === undefined ? undefined : 'alert'}>
        {wrong ?? hint}
      </p>
    </div>
  );
}
