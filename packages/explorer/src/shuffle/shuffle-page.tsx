/**
 * Users randomize, the shuffler permutes, the analyzer estimates: message by message for a few, in numbers
 * for all.
 */
import type { JSX } from 'preact';
import { address, presentLink, setFields } from '../address/current-address.ts';
import { CopyButtons } from '../controls/copy-buttons.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { ShownInstead } from '../controls/shown-instead.tsx';
import { logarithmicScale, type SliderScale } from '../controls/slider-scale.ts';
import { isFormer, sharpening, useQuestion } from '../engine/sharpening.ts';
import { sixDigitEnd, writtenNumber } from '../words/numbers.ts';
import { FEWEST_USERS, MOST_USERS, type ShuffleContract, type WatchedShuffle } from './contract.ts';
import { EstimateChart } from './estimate-chart.tsx';
import { MessageFlow, STAGES } from './message-flow.tsx';
import { MOST_CATEGORIES, shuffleQuestion, shuffleState, shuffleStep } from './shuffle-state.ts';

const watched = sharpening<ShuffleContract, 'watch'>('shuffle', 'watch');

const USERS = logarithmicScale(100, 200_000, true);
const BUDGET = logarithmicScale(0.1, 8, false);
const CATEGORIES: SliderScale = {
  last: MOST_CATEGORIES - 2,
  isLogarithmic: false,
  valueAt: (stop) => stop + 2,
  stopOf: (value) => Math.min(MOST_CATEGORIES, Math.max(2, Math.round(value))) - 2,
};
const PERCENT: SliderScale = {
  last: 18,
  isLogarithmic: false,
  valueAt: (stop) => 5 * stop,
  stopOf: (value) => Math.min(18, Math.max(0, Math.round(value / 5))),
};

const FIELDS = [
  { name: 'users', hint: `from ${FEWEST_USERS} to ${MOST_USERS}`, scale: USERS },
  {
    name: 'domain',
    label: 'categories',
    hint: `from 2 to ${MOST_CATEGORIES}; shares fall as 1/rank`,
    scale: CATEGORIES,
  },
  { name: 'epsilon0', hint: 'local budget in nats of randomized response', scale: BUDGET },
  {
    name: 'colluding',
    label: 'colluding, in %',
    hint: 'users who tell the analyzer their messages',
    scale: PERCENT,
  },
] as const;

export function ShufflePage(): JSX.Element {
  const state = shuffleState(address.value.fields);
  const question = shuffleQuestion(state);
  const refusal = useQuestion(watched, question);
  const answered = watched.answer.value;
  const isPresent = answered !== null && !isFormer(answered.given, question);
  return (
    <div class="two-sides">
      <form class="fields" onSubmit={(event) => event.preventDefault()}>
        {FIELDS.map((field) => (
          <NumberField key={field.name} {...field} text={state[field.name]} refusal={refusal} />
        ))}
        <div class="buttons">
          <button type="button" onClick={() => setFields({ seed: String(Number(state.seed) + 1 || 1) })}>
            Draw again
          </button>
        </div>
        <CopyButtons of={[{ label: 'Copy link', text: presentLink }]} />
      </form>
      <div class="answers">
        {refusal !== null ? (
          <p class="refusal">{refusal.message}</p>
        ) : answered === null ? (
          <p class="waiting">Drawing…</p>
        ) : (
          <Watched answer={answered.answer} isPresent={isPresent} />
        )}
      </div>
    </div>
  );
}

function Watched({
  answer,
  isPresent,
}: {
  readonly answer: WatchedShuffle;
  /** Whether it is of what stands in the fields, or still of what did before. */
  readonly isPresent: boolean;
}): JSX.Element {
  const { step, unknown } = shuffleStep(address.value.fields['step'], STAGES.length);
  const stage = step - 1;
  const { batch, steps, epsilon, epsilonHonest, delta, honest } = answer;
  const { title, says } = STAGES[stage]!;
  const all = steps.at(-1)!.users;
  return (
    <>
      <ShownInstead kind="step" asked={unknown} shown={`step ${step}, ${title}`} />
      <section>
        <div class="stages" role="group" aria-label="Steps of the protocol">
          {STAGES.map((known, i) => (
            <button
              key={known.title}
              type="button"
              aria-pressed={i === stage}
              class={i === stage ? 'main' : ''}
              onClick={() => setFields({ step: String(i + 1) })}
            >
              {i + 1}. {known.title}
            </button>
          ))}
        </div>
        <p class="stage-says" aria-live="polite">
          <strong>{title}.</strong> {says}
        </p>
        <MessageFlow batch={batch} stage={stage} />
        <p class="fine">
          {batch.values.length} of {all} users.{' '}
          {honest < all
            ? 'Crossed out: users who collude, and their messages, which the analyzer takes away.'
            : ''}
        </p>
      </section>
      <section>
        <h2>What privacy remains</h2>
        {isPresent ? (
          <p class="headline-text">
            With all {all} users honest, epsilon is at most{' '}
            <strong data-epsilon={epsilon.upper}>{sixDigitEnd(epsilon.upper, 'upper')}</strong> at{' '}
            <span class="whole">delta = {writtenNumber(delta)},</span> certified.
            {honest < all && (
              <>
                {' '}
                {all - honest} of them collude: their messages hide nobody, and among the {honest} others it
                is at most <strong>{sixDigitEnd(epsilonHonest.upper, 'upper')}</strong>.
              </>
            )}
          </p>
        ) : (
          <p class="waiting">Accounting…</p>
        )}
      </section>
      <EstimateChart steps={steps} />
      <section>
        <h2>Who sees what</h2>
        <dl class="parties">
          <dt>A user</dt>
          <dd>their own value and message</dd>
          <dt>Shuffler</dt>
          <dd>who sent which message; the content may be sealed, since it needs none of it</dd>
          <dt>Analyzer</dt>
          <dd>all messages in random order, and nothing else</dd>
          <dt>Analyzer with colluding users</dt>
          <dd>the messages of the honest users, in random order</dd>
          <dt>Analyzer with the shuffler</dt>
          <dd>who sent which message: only the local budget protects</dd>
        </dl>
      </section>
    </>
  );
}
