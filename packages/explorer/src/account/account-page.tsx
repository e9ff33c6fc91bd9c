/** One shuffled round: what is proved of it, what the literature says, and both along any parameter. */
import type { JSX } from 'preact';
import type { Soundness } from '@shuffle-dp/core';
import { setFields, presentLink } from '../address/current-address.ts';
import { BoundsTable } from '../bounds/bounds-table.tsx';
import { CopyButtons } from '../controls/copy-buttons.tsx';
import { Refused } from '../controls/no-answer.tsx';
import { ShownInstead } from '../controls/shown-instead.tsx';
import { isFormer } from '../engine/sharpening.ts';
import { sixDigitEnd, writtenNumber } from '../words/numbers.ts';
import { AccountChart } from './account-chart.tsx';
import * as model from './account-model.ts';
import { drawnField } from './account-state.ts';
import { accountCommand, accountConfig } from './account-texts.ts';
import { bibliography } from './literature.ts';
import { MECHANISMS } from './mechanism-list.ts';
import { MechanismFields } from './mechanism-fields.tsx';

export function AccountPage(): JSX.Element {
  const state = model.state.value;
  const refusal = model.refusal.value;
  if (state === null) return <p class="waiting">{refusal?.message ?? 'Starting…'}</p>;
  return (
    <div class="two-sides">
      <MechanismFields
        state={state}
        mechanisms={MECHANISMS}
        parameters={model.parameters.value}
        refusal={refusal}
      />
      <div class="answers">
        <ShownInstead kind="mechanism" asked={state.unknown} shown={state.mechanism.title} />
        <ShownInstead kind="axis" asked={state.unknownAxis} shown="the chart along the users" />
        <ShownInstead kind="bound" asked={model.strangeBounds.value} shown="the chart without it" />
        <Headline />
        <AccountChart />
        <Bounds />
      </div>
    </div>
  );
}

function Headline(): JSX.Element {
  const shown = model.shown.value;
  const refusal = model.refusal.value;
  if (refusal !== null) return <Refused message={refusal.message} />;
  if (shown === null)
    return (
      <section class="headline">
        <p class="waiting">Computing…</p>
      </section>
    );
  const { account, setting, works } = shown;
  const present = model.setting.value!;
  const isOld = isFormer(setting, present);
  const work = isOld ? 'former' : works === undefined ? 'sharpening' : '';
  const { bracket, target, mechanism, sound, reason, bounds } = account;
  const asked = 'delta' in target ? 'epsilon' : 'delta';
  const at =
    'delta' in target
      ? `delta = ${writtenNumber(target.delta)}`
      : `epsilon = ${writtenNumber(target.epsilon)}`;
  const isPair = mechanism === 'variation-ratio';
  const [worst] = bounds.filter((bound) => bound.worst !== undefined).toSorted((a, b) => b.value! - a.value!);
  return (
    <section class={isOld ? 'headline former' : 'headline'} aria-live="polite" aria-atomic="true">
      <div class="figure">
        <p class="what">
          {isPair ? `${asked} of the pair itself, at ` : `Certified ${asked} at `}
          <span class="whole">{at}</span>
          <span class="work" data-work={work}>
            {isOld ? 'of the former inputs' : work || 'sharp'}
          </span>
        </p>
        <p
          class="value"
          data-of={accountCommand(setting)}
          data-upper={bracket.upper}
          data-lower={bracket.lower}
        >
          {sixDigitEnd(bracket.upper, 'upper')}
        </p>
      </div>
      <p class="fine">
        {isPair ? 'Its lower end is ' : 'No proof can give less than '}
        <span class="whole">{sixDigitEnd(bracket.lower, 'lower')}.</span>{' '}
        {isPair
          ? dominationText(sound, reason)
          : worst === undefined
            ? ''
            : `Worst data set known: ${worst.worst}.`}
      </p>
      <CopyButtons
        of={[
          { label: 'Copy as command', text: () => accountCommand(present) },
          {
            label:
              model.state.peek()!.mechanism.configOptions === null ? 'Copy as schedule' : 'Copy as config',
            text: () => accountConfig(present, model.state.peek()!.mechanism),
          },
          { label: 'Copy link', text: presentLink },
          ...(works === undefined || isOld ? [] : [{ label: 'Cite', text: () => bibliography(works) }]),
        ]}
      />
    </section>
  );
}

/** Whether what is said of the pair holds of mechanisms. */
function dominationText(sound: Soundness, reason: string | undefined): string {
  if (sound === true) return 'The pair is known to dominate every mechanism of these parameters.';
  return `The pair is ${sound === false ? 'known not' : 'not known'} to dominate: ${reason ?? 'no proof is known'}.`;
}

function Bounds(): JSX.Element | null {
  const shown = model.shown.value;
  if (shown === null || model.refusal.value !== null) return null;
  const { drawn } = model.state.value!;
  return (
    <section>
      <h2>Every bound, proved or published</h2>
      <BoundsTable
        title="Bounds with their verdicts"
        asked={'delta' in shown.account.target ? 'epsilon' : 'delta'}
        bounds={shown.account.bounds.map(({ direction, ...bound }) => ({ ...bound, side: direction }))}
        drawing={{ drawn, onDraw: (name) => setFields({ draw: drawnField(drawn, name) }) }}
      />
    </section>
  );
}
