/** Many shuffled rounds: what is proved of all together, and what the composition theorems say. */
import type { JSX } from 'preact';
import { flagTexts, scheduleText } from '../account/account-texts.ts';
import { MECHANISMS } from '../account/mechanism-list.ts';
import { TargetField } from '../account/mechanism-fields.tsx';
import { address, presentLink, setFields } from '../address/current-address.ts';
import { BoundsTable } from '../bounds/bounds-table.tsx';
import { CopyButtons } from '../controls/copy-buttons.tsx';
import { Refused, Working } from '../controls/no-answer.tsx';
import { isRefusal, type Refusal } from '../engine/messages.ts';
import { isFormer, sharpening, useQuestion } from '../engine/sharpening.ts';
import { WorkBadge } from '../controls/work-badge.tsx';
import { sixDigitEnd, writtenNumber } from '../words/numbers.ts';
import { ComposeChart } from './compose-chart.tsx';
import {
  composeQuestion,
  composeState,
  exampleRounds,
  refusalAtEntry,
  scheduleField,
  type WrittenRounds,
} from './compose-state.ts';
import type { ComposeContract } from './contract.ts';
import { RoundsFields } from './rounds-fields.tsx';

const composed = sharpening<ComposeContract, 'compose'>('compose', 'compose');

export function ComposePage(): JSX.Element {
  const state = composeState(address.value.fields);
  const question = composeQuestion(state);
  const refused = useQuestion(composed, question);
  const refusal =
    refused === null || isRefusal(question) ? refused : refusalAtEntry(refused, question.schedule);
  const known = MECHANISMS;
  if (known.length === 0) return <p class="waiting">Starting…</p>;
  const change = (schedule: readonly WrittenRounds[]): void =>
    setFields({ schedule: scheduleField(schedule) });
  return (
    <div class="two-sides">
      <form class="fields" onSubmit={(event) => event.preventDefault()}>
        {state.schedule.map((rounds, i) => (
          <RoundsFields
            key={`${i} ${rounds.mechanism}`}
            number={i + 1}
            rounds={rounds}
            mechanisms={known}
            refusal={refusal?.entry === i ? refusal : null}
            onChange={(next) => change(state.schedule.map((other, k) => (k === i ? next : other)))}
            {...(state.schedule.length > 1
              ? { onRemove: () => change(state.schedule.filter((_, k) => k !== i)) }
              : {})}
          />
        ))}
        <button
          type="button"
          onClick={() =>
            change([
              ...state.schedule,
              exampleRounds(known.find(({ name }) => name === 'subset') ?? known[0]!),
            ])
          }
        >
          Add rounds of another kind
        </button>
        <TargetField
          given={state.given}
          target={state.target}
          refusal={refusal?.entry === undefined ? refusal : null}
        />
      </form>
      <div class="answers">
        <Answer question={question} refusal={refusal} />
      </div>
    </div>
  );
}

function Answer({
  question,
  refusal,
}: {
  readonly question: ReturnType<typeof composeQuestion>;
  readonly refusal: Refusal | null;
}): JSX.Element {
  const answered = composed.answer.value;
  if (refusal !== null || isRefusal(question)) return <Refused message={refusal?.message ?? ''} />;
  if (answered === null) return <Working doing="Composing" seconds={composed.seconds.value} />;
  const { answer: account, given, isWhole } = answered;
  const isOld = isFormer(given, question);
  const { bracket, target, rounds, sound, reason, bounds, baselines } = account;
  const asked = 'delta' in target ? 'epsilon' : 'delta';
  const at =
    'delta' in target
      ? `delta = ${writtenNumber(target.delta)}`
      : `epsilon = ${writtenNumber(target.epsilon)}`;
  return (
    <>
      <section class={isOld ? 'headline former' : 'headline'} aria-live="polite" aria-atomic="true">
        <div class="figure">
          <p class="what">
            {sound === true ? 'Certified' : 'Composed'} {asked} of {rounds}{' '}
            {rounds === 1 ? 'round' : 'rounds'} at <span class="whole">{at}</span>
            <WorkBadge seconds={composed.seconds.value} isWhole={isWhole} isFormer={isOld} />
          </p>
          <p class="value" data-upper={bracket.upper} data-lower={bracket.lower}>
            {sixDigitEnd(bracket.upper, 'upper')}
          </p>
        </div>
        <p class="fine">
          {reason ??
            (isWhole ? (
              <>
                No proof can give less than <span class="whole">{sixDigitEnd(bracket.lower, 'lower')}.</span>
              </>
            ) : (
              'By a composition theorem; the bracket follows.'
            ))}
        </p>
        <CopyButtons
          of={[
            { label: 'Copy as command', text: () => composeCommand(question.schedule, question.target) },
            { label: 'Copy as schedule', text: () => scheduleText(question.schedule) },
            { label: 'Copy link', text: presentLink },
          ]}
        />
      </section>
      <ComposeChart question={given} isWhole={isWhole} asked={asked} />
      {baselines !== null && (
        <section>
          <h2>What composition theorems say</h2>
          <BoundsTable
            title="Composition theorems"
            asked={asked}
            bounds={[
              ...bounds.map(({ direction, ...bound }) => ({ ...bound, side: direction })),
              {
                name: 'Gaussian limit',
                value: baselines.gaussianLimit,
                verdict: null,
                source: 'central limit theorem of the losses',
                reason: 'an approximation, not a bound',
              },
            ]}
          />
        </section>
      )}
    </>
  );
}

/** One entry by flags, several by the schedule's file. */
function composeCommand(
  schedule: readonly {
    readonly mechanism: string;
    readonly parameters: Readonly<Record<string, number>>;
    readonly users: number;
    readonly rounds: number;
  }[],
  target: Readonly<Record<string, number>>,
): string {
  const [first, ...others] = schedule;
  if (others.length > 0)
    return ['shuffle-dp compose --schedule schedule.yaml', ...flagTexts(target)].join(' ');
  const { mechanism, parameters, users, rounds } = first!;
  return ['shuffle-dp compose', mechanism, ...flagTexts({ ...parameters, rounds, users, ...target })].join(
    ' ',
  );
}
