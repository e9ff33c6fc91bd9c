/** The left side of the page: the mechanism, its parameters, the users and the target. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { setFields } from '../address/current-address.ts';
import { NumberField } from '../controls/number-field.tsx';
import { sliderScale } from '../controls/slider-scale.ts';
import { otherMechanism, type AccountState } from './account-state.ts';
import type { ShownMechanism, ShownParameter } from './contract.ts';
import { TARGET_SCALES, USERS_SCALE } from './curve-axis.ts';
import type { Refusal } from '../engine/messages.ts';

export interface MechanismFieldsProps {
  readonly state: AccountState;
  readonly mechanisms: readonly ShownMechanism[];
  readonly parameters: readonly ShownParameter[];
  readonly refusal: Refusal | null;
}

export function MechanismFields({
  state,
  mechanisms,
  parameters,
  refusal,
}: MechanismFieldsProps): JSX.Element {
  const { mechanism, written, users, given, target } = state;
  return (
    <form class="fields" onSubmit={(event) => event.preventDefault()}>
      <MechanismChoice
        mechanism={mechanism}
        mechanisms={mechanisms}
        onChoice={(name) => setFields(otherMechanism(state, name))}
      />
      {parameters.map((parameter) => (
        <NumberField
          key={`${mechanism.name} ${parameter.name}`}
          name={parameter.name}
          hint={`${parameter.description}, ${parameter.range}${parameter.required ? '' : '; may be left out'}`}
          text={written[parameter.name] ?? ''}
          scale={sliderScale(parameter)}
          isOptional={!parameter.required}
          refusal={refusal}
        />
      ))}
      <NumberField
        name="users"
        hint={mechanism.usersMean}
        text={users}
        scale={USERS_SCALE}
        refusal={refusal}
      />
      <TargetField given={given} target={target} refusal={refusal} />
    </form>
  );
}

export function MechanismChoice({
  mechanism,
  mechanisms,
  onChoice,
}: {
  readonly mechanism: ShownMechanism;
  readonly mechanisms: readonly ShownMechanism[];
  readonly onChoice: (name: string) => void;
}): JSX.Element {
  const id = useId();
  const groups = [...new Set(mechanisms.map(({ holds }) => holds))];
  return (
    <div class="field">
      <label for={id}>mechanism</label>
      <select id={id} value={mechanism.name} onChange={(event) => onChoice(event.currentTarget.value)}>
        {groups.map((holds) => (
          <optgroup key={holds} label={`a user holds ${holds}`}>
            {mechanisms
              .filter((known) => known.holds === holds)
              .map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      <p class="hint">
        {mechanism.description} <cite>{mechanism.source}.</cite>
      </p>
    </div>
  );
}

export function TargetField({
  given,
  target,
  refusal,
}: {
  readonly given: 'delta' | 'epsilon';
  readonly target: string;
  readonly refusal: Refusal | null;
}): JSX.Element {
  return (
    <fieldset class="target">
      <legend>given</legend>
      {(['delta', 'epsilon'] as const).map((name) => (
        <label key={name} class="choice">
          <input
            type="radio"
            name="given"
            value={name}
            checked={given === name}
            onChange={() =>
              setFields(
                name === 'delta'
                  ? { epsilon: undefined, delta: '1e-6', over: undefined }
                  : { delta: undefined, epsilon: '0.1', over: undefined },
              )
            }
          />
          {name}
        </label>
      ))}
      <NumberField
        name={given}
        label={`central ${given}`}
        hint={given === 'delta' ? 'the answer is epsilon' : 'in nats; the answer is delta'}
        text={target}
        scale={TARGET_SCALES[given]}
        refusal={refusal}
      />
    </fieldset>
  );
}
