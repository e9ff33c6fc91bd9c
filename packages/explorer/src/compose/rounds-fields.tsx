/** One entry of a schedule: a mechanism, its parameters, and for how many users and rounds. */
import type { JSX } from 'preact';
import type { ShownMechanism } from '../account/contract.ts';
import { USERS_SCALE } from '../account/curve-axis.ts';
import { MechanismChoice } from '../account/mechanism-fields.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { logarithmicScale, sliderScale } from '../controls/slider-scale.ts';
import type { Refusal } from '../engine/messages.ts';
import { exampleRounds, type WrittenRounds } from './compose-state.ts';

const ROUNDS_SCALE = logarithmicScale(1, 1000, true);

export interface RoundsFieldsProps {
  readonly number: number;
  readonly rounds: WrittenRounds;
  readonly mechanisms: readonly ShownMechanism[];
  /** Of this entry. */
  readonly refusal: Refusal | null;
  readonly onChange: (rounds: WrittenRounds) => void;
  readonly onRemove?: () => void;
}

export function RoundsFields({
  number,
  rounds,
  mechanisms,
  refusal,
  onChange,
  onRemove,
}: RoundsFieldsProps): JSX.Element {
  const mechanism = mechanisms.find(({ name }) => name === rounds.mechanism) ?? mechanisms[0]!;
  const { numbers } = rounds;
  const set = (name: string, text: string): void =>
    onChange({ ...rounds, numbers: { ...numbers, [name]: text } });
  return (
    <fieldset class="entry">
      <legend>
        rounds {number}
        {onRemove !== undefined && (
          <button type="button" class="plain" aria-label={`Remove rounds ${number}`} onClick={onRemove}>
            Remove
          </button>
        )}
      </legend>
      <MechanismChoice
        mechanism={mechanism}
        mechanisms={mechanisms}
        onChoice={(name) =>
          onChange(
            exampleRounds(
              mechanisms.find((known) => known.name === name)!,
              numbers,
            ),
          )
        }
      />
      {mechanism.parameters.map((parameter) => (
        <NumberField
          key={parameter.name}
          name={parameter.name}
          hint={`${parameter.description}, ${parameter.range}${parameter.required ? '' : '; may be left out'}`}
          text={numbers[parameter.name] ?? ''}
          scale={sliderScale(parameter)}
          isOptional={!parameter.required}
          refusal={refusal}
          onText={(text) => set(parameter.name, text)}
        />
      ))}
      <NumberField
        name="users"
        hint={mechanism.usersMean}
        text={numbers['users'] ?? ''}
        scale={USERS_SCALE}
        refusal={refusal}
        onText={(text) => set('users', text)}
      />
      <NumberField
        name="rounds"
        hint="of this kind, each with fresh randomness"
        text={numbers['rounds'] ?? ''}
        scale={ROUNDS_SCALE}
        refusal={refusal}
        onText={(text) => set('rounds', text)}
      />
    </fieldset>
  );
}
