/** Which protocol errs least for one's users, domain, privacy and bandwidth, at certified parameters. */
import { counted } from '@shuffle-dp/experiments/words';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { address, presentLink, setFields } from '../address/current-address.ts';
import { CopyButtons } from '../controls/copy-buttons.tsx';
import { Refused, Working } from '../controls/no-answer.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { ShownInstead } from '../controls/shown-instead.tsx';
import { logarithmicScale, type SliderScale } from '../controls/slider-scale.ts';
import { WorkBadge } from '../controls/work-badge.tsx';
import { isRefusal, type Refusal } from '../engine/messages.ts';
import { isFormer, sharpening, useQuestion } from '../engine/sharpening.ts';
import { fourDigits } from '../words/numbers.ts';
import type { PlanContract } from './contract.ts';
import { planCommand, planQuestion, planState, TASKS, type PlanState } from './plan-state.ts';
import { PlanTable } from './plan-table.tsx';

const planned = sharpening<PlanContract, 'plan'>('plan', 'plan');

const SCALES: Readonly<Record<string, SliderScale>> = {
  users: logarithmicScale(100, 1e7, true),
  domain: logarithmicScale(2, 65_536, true),
  items: logarithmicScale(1, 64, true),
  epsilon: logarithmicScale(0.05, 8, false),
  delta: logarithmicScale(1e-12, 0.01, false),
};

export function PlanPage(): JSX.Element {
  const state = planState(address.value.fields);
  const question = planQuestion(state);
  const id = useId();
  const refusal = useQuestion(planned, question);
  return (
    <div class="two-sides">
      <form class="fields" onSubmit={(event) => event.preventDefault()}>
        <div class="field">
          <label for={id}>what is estimated</label>
          <select
            id={id}
            value={state.task}
            onChange={(event) => setFields({ task: event.currentTarget.value })}
          >
            {Object.entries(TASKS).map(([name, { title }]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </div>
        {state.fields.map((field) => (
          <NumberField key={field.name} {...field} scale={SCALES[field.name]} refusal={refusal} />
        ))}
        <div class="field">
          <label for={`${id}-trust`}>
            <input
              id={`${id}-trust`}
              type="checkbox"
              checked={state.augmented}
              onChange={(event) =>
                setFields({ trust: event.currentTarget.checked ? 'augmented' : 'shuffler' })
              }
            />{' '}
            the shuffler may drop and add messages
          </label>
          <p class="hint">Users trust it with more than permuting.</p>
        </div>
      </form>
      <div class="answers">
        <ShownInstead kind="task" asked={state.unknown} shown={TASKS[state.task].title} />
        <ShownInstead kind="trust" asked={state.unknownTrust} shown="a shuffler that permutes alone" />
        <ShownInstead kind="column" asked={state.unknownSort} shown="the table by error" />
        <Answer state={state} question={question} refusal={refusal} />
      </div>
    </div>
  );
}

function Answer({
  state,
  question,
  refusal,
}: {
  readonly state: PlanState;
  readonly question: ReturnType<typeof planQuestion>;
  readonly refusal: Refusal | null;
}): JSX.Element {
  const answered = planned.answer.value;
  const seconds = planned.seconds.value;
  if (refusal !== null || isRefusal(question)) return <Refused message={refusal?.message ?? ''} />;
  if (answered === null) return <Working doing="Calibrating" seconds={seconds} />;
  const { answer, given, isWhole } = answered;
  const { rows, excluded, left, config } = answer;
  const isOld = isFormer(given, question);
  if (rows.length === 0 && (isOld || !isWhole)) return <Working doing="Calibrating" seconds={seconds} />;
  if (rows.length === 0)
    return (
      <>
        <Refused message="No protocol is left: none meets the target within the limits." />
        <LeftOut excluded={excluded} />
      </>
    );
  const [best, second] = rows;
  return (
    <>
      <section class={isOld ? 'headline former' : 'headline'} aria-live="polite" aria-atomic="true">
        <div class="figure">
          <p class="what">
            Least {TASKS[given.task].error}
            <WorkBadge seconds={seconds} isWhole={isWhole} isFormer={isOld} />
          </p>
          <p class="value" data-error={best!.error}>
            {fourDigits(best!.error)}
          </p>
        </div>
        <p>
          <strong>{best!.protocol}</strong> errs least{isWhole ? '' : ' so far'}
          {second === undefined
            ? '.'
            : `; the runner-up is ${second.protocol}${best!.error > 0 ? `, which errs ${fourDigits(second.error / best!.error)} times as much` : ''}.`}
        </p>
        <p class="fine">
          {left > 0 ? `${counted(left, 'protocol')} not looked at yet. ` : ''}
          {best!.errorBy === 'closed form'
            ? 'Errors are expected ones, by closed forms, for users spread evenly'
            : `Errors are means of a few trials on identifiers by Zipf's law, the least one between ${fourDigits(best!.errorInterval?.lower ?? 0)} and ${fourDigits(best!.errorInterval?.upper ?? Infinity)} at confidence 95 %, which may not tell neighbours apart`}
          ; epsilon is proved for every data set.
        </p>
        <CopyButtons
          of={[
            { label: 'Copy as command', text: () => planCommand(question) },
            {
              label: 'Copy as config',
              text: () => `${JSON.stringify(config, null, 2)}\n`,
              lack:
                isWhole && !isOld ? undefined : 'A config is given once every protocol has been looked at.',
            },
            { label: 'Copy link', text: presentLink },
          ]}
        />
      </section>
      <section>
        <h2>Protocols at certified parameters</h2>
        <PlanTable rows={rows} sort={state.sort} />
      </section>
      <LeftOut excluded={excluded} />
    </>
  );
}

function LeftOut({ excluded }: Pick<PlanContract['plan']['answer'], 'excluded'>): JSX.Element | null {
  if (excluded.length === 0) return null;
  return (
    <section>
      <h2>Left out</h2>
      <ul>
        {excluded.map(({ protocol, why, trust }) => (
          <li key={protocol}>
            {protocol}: {why}
            {trust === undefined ? '' : '; the box “the shuffler may drop and add messages” allows it'}
          </li>
        ))}
      </ul>
    </section>
  );
}
