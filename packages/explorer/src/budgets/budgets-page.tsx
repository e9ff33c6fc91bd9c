/**
 * Users with budgets of their own: what is proved of the weakest, what the papers say, and each level's own
 * end.
 */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { address, presentLink, setFields } from '../address/current-address.ts';
import { BoundsTable } from '../bounds/bounds-table.tsx';
import { CopyButtons } from '../controls/copy-buttons.tsx';
import { Refused, Working } from '../controls/no-answer.tsx';
import { NumberField } from '../controls/number-field.tsx';
import { ShownInstead } from '../controls/shown-instead.tsx';
import { logarithmicScale, type SliderScale } from '../controls/slider-scale.ts';
import { WorkBadge } from '../controls/work-badge.tsx';
import { isRefusal, type Refusal } from '../engine/messages.ts';
import { isFormer, sharpening, useQuestion } from '../engine/sharpening.ts';
import { sixDigitEnd, writtenNumber } from '../words/numbers.ts';
import { BudgetBars } from './budget-bars.tsx';
import {
  BUDGET_EXAMPLES,
  budgetsCommand,
  budgetsQuestion,
  budgetsState,
  MECHANISM_TITLES,
} from './budgets-state.ts';
import type { BudgetMechanism, BudgetsContract } from './contract.ts';

const accounted = sharpening<BudgetsContract, 'personalized'>('budgets', 'personalized');

const SCALES: Readonly<Record<string, SliderScale>> = {
  // One budget is drawn for each user, so there are fewer than elsewhere.
  users: logarithmicScale(100, 200_000, true),
  delta: logarithmicScale(1e-12, 0.01, false),
  localDelta: logarithmicScale(1e-14, 1e-4, false),
  domain: logarithmicScale(2, 4096, true),
  levels: logarithmicScale(1, 50, true),
};

export function BudgetsPage(): JSX.Element {
  const state = budgetsState(address.value.fields);
  const question = budgetsQuestion(state);
  const id = useId();
  const refusal = useQuestion(accounted, question);
  return (
    <div class="two-sides">
      <form class="fields" onSubmit={(event) => event.preventDefault()}>
        <div class={`field${refusal !== null && refusal.parameter === undefined ? ' wrong' : ''}`}>
          <label for={id}>budgets in nats</label>
          <textarea
            id={id}
            rows={3}
            spellcheck={false}
            value={state.budgets}
            aria-describedby={`${id}-hint`}
            onInput={(event) => setFields({ budgets: event.currentTarget.value })}
          />
          <p class="hint" id={`${id}-hint`}>
            A distribution, or numbers with commas between them.
          </p>
          <div class="buttons examples">
            {BUDGET_EXAMPLES.map(({ title, text }) => (
              <button key={title} type="button" onClick={() => setFields({ budgets: text })}>
                {title}
              </button>
            ))}
          </div>
        </div>
        <div class="field">
          <label for={`${id}-mechanism`}>mechanism</label>
          <select
            id={`${id}-mechanism`}
            value={state.mechanism}
            onChange={(event) => setFields({ mechanism: event.currentTarget.value })}
          >
            {Object.entries(MECHANISM_TITLES).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </div>
        {state.fields.map((field) => (
          <NumberField key={field.name} {...field} scale={SCALES[field.name]} refusal={refusal} />
        ))}
      </form>
      <div class="answers">
        <ShownInstead kind="mechanism" asked={state.unknown} shown={MECHANISM_TITLES[state.mechanism]} />
        <Answer mechanism={state.mechanism} question={question} refusal={refusal} />
      </div>
    </div>
  );
}

function Answer({
  mechanism,
  question,
  refusal,
}: {
  readonly mechanism: BudgetMechanism;
  readonly question: ReturnType<typeof budgetsQuestion>;
  readonly refusal: Refusal | null;
}): JSX.Element {
  const answered = accounted.answer.value;
  const seconds = accounted.seconds.value;
  if (refusal !== null || isRefusal(question)) return <Refused message={refusal?.message ?? ''} />;
  if (answered === null) return <Working doing="Computing" seconds={seconds} />;
  const { answer, given, isWhole } = answered;
  const { account, histogram } = answer;
  const isOld = isFormer(given, question);
  const { epsilon, users, low, high, groups } = account;
  return (
    <>
      <section class={isOld ? 'headline former' : 'headline'} aria-live="polite" aria-atomic="true">
        <div class="figure">
          <p class="what">
            Certified epsilon of the least protected of {users === 1 ? 'one user' : `${users} users`}, at{' '}
            <span class="whole">delta = {writtenNumber(account.delta)}</span>
            <WorkBadge seconds={seconds} isWhole={isWhole} isFormer={isOld} />
          </p>
          <p class="value" data-upper={epsilon.upper} data-lower={epsilon.lower}>
            {sixDigitEnd(epsilon.upper, 'upper')}
          </p>
        </div>
        <p class="fine">
          {groups.length === 0
            ? 'By the best published bound that is proved; a sharper one follows.'
            : `No proof can give less than ${sixDigitEnd(epsilon.lower, 'lower')}. Users round their budgets down to ${groups.length === 1 ? 'one level' : `${groups.length} levels`}, and the bracket is for these levels.`}
        </p>
        <CopyButtons
          of={[
            { label: 'Copy as command', text: () => budgetsCommand(question) },
            { label: 'Copy link', text: presentLink },
          ]}
        />
      </section>
      <BudgetBars
        low={low}
        high={high}
        histogram={histogram}
        groups={groups}
        isGaussian={mechanism === 'gaussian'}
      />
      <section>
        <h2>Published bounds for personal budgets</h2>
        <p class="fine">At the levels that users apply.</p>
        <BoundsTable
          title="Published bounds with their verdicts"
          asked="epsilon"
          bounds={account.bounds.map(({ epsilonAtLevels, direction, verdict, ...bound }) => ({
            ...bound,
            side: direction,
            // What is certified is of the levels, and so is the verdict.
            value: epsilonAtLevels,
            // Before our own bracket is known there are no verdicts worth telling.
            verdict: groups.length === 0 ? null : verdict,
          }))}
        />
      </section>
    </>
  );
}
