/** A number that is typed, or moved by a slider. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { setFields } from '../address/current-address.ts';
import type { Refusal } from '../engine/messages.ts';
import { typedNumber, writtenNumber } from '../words/numbers.ts';
import type { SliderScale } from './slider-scale.ts';

export interface NumberFieldProps {
  /** Of the field in the address, and of what a refusal is about. */
  readonly name: string;
  /** The name, unless it is said. */
  readonly label?: string;
  /** What it is and what is allowed, beneath the label. */
  readonly hint?: string;
  /** As it stands in the address. */
  readonly text: string;
  readonly scale?: SliderScale | undefined;
  /** Of the page; it is shown where it is about this number. */
  readonly refusal: Refusal | null;
  /** Whether it may be left out. */
  readonly isOptional?: boolean;
  /** Otherwise it goes to the address. */
  readonly onText?: (text: string) => void;
}

export function NumberField({
  name,
  label = name,
  hint,
  text,
  scale,
  refusal,
  isOptional = false,
  onText = (typed) => setFields({ [name]: typed }),
}: NumberFieldProps): JSX.Element {
  const id = useId();
  // While somebody types, what stands there is theirs.
  const [typing, setTyping] = useState<string | null>(null);
  const value = typedNumber(text);
  const isLeftOut = isOptional && text === '';
  const refused = refusal?.parameter === name ? refusal.message : undefined;
  const wrong = Number.isNaN(value) && !isLeftOut ? 'must be a number' : refused;
  // What is no number is handed on only once it is whole: it is refused then.
  const leave = (typed: string): void => {
    setTyping(null);
    if (typing !== null && Number.isNaN(typedNumber(typed))) onText(typed);
  };
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
          onBlur={(event) => leave(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') leave(event.currentTarget.value);
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
