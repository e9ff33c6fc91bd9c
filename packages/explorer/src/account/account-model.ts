/**
 * The page Account as signals: what is asked stands in the address, the engine answers, and all of the page
 * follows.
 */
import { computed, effect, signal } from '@preact/signals';
import type { CitationKey } from '@shuffle-dp/core';
import type { Account } from '@shuffle-dp/experiments/account';
import { address } from '../address/current-address.ts';
import { lane } from '../engine/lane.ts';
import { isRefusal, type Refusal } from '../engine/messages.ts';
import { accountSetting, accountState, DRAWN, unknownBounds } from './account-state.ts';
import type {
  AccountContract,
  AccountEngine,
  AccountSetting,
  CurvePoint,
  ShownParameter,
} from './contract.ts';
import { engineOf, MECHANISMS } from './mechanism-list.ts';
import { COARSE, curveAxes, curveKey, curveValues, FINE, type CurveAxis } from './curve-axis.ts';
import { gainingValues, withSharp } from './sharp-points.ts';

/** One answers within milliseconds; the other takes its time, and is stopped when the question changes. */
const quick = lane<AccountContract>(engineFor, 'finish');
const thorough = lane<AccountContract>(engineFor, 'stop');

function engineFor(given: AccountContract[keyof AccountContract]['given']): AccountEngine {
  return engineOf('setting' in given ? given.setting.mechanism : given.mechanism);
}

/** How long a slider rests before the long work begins. */
const REST = 150;

export interface ShownAccount {
  readonly setting: AccountSetting;
  readonly account: Account;
  /** What the account rests on, once it is whole. */
  readonly works?: readonly CitationKey[];
}

/** Of the engine, for the last setting that it was asked. */
const refused = signal<Refusal | null>(null);
/** Of the present setting, or still of the last one. */
export const shown = signal<ShownAccount | null>(null);
/** What is being worked on, in words; '' for nothing. */
export const work = signal('');
/** The points of the curve, by what they are over. */
export const curve = signal<readonly CurvePoint[]>([]);
const ranges = signal<{ readonly mechanism: string; readonly parameters: readonly ShownParameter[] } | null>(
  null,
);

/** Null on other pages. */
export const state = computed(() =>
  address.value.page === 'account' ? accountState(address.value.fields, MECHANISMS) : null,
);
const question = computed(() => state.value && accountSetting(state.value));
/** Null also while a number is none. */
export const setting = computed(() =>
  question.value === null || isRefusal(question.value) ? null : question.value,
);
/** Of what stands there. */
export const refusal = computed(() =>
  question.value !== null && isRefusal(question.value) ? question.value : refused.value,
);
export const parameters = computed((): readonly ShownParameter[] => {
  const { mechanism } = state.value!;
  const known = ranges.value;
  return known?.mechanism === mechanism.name ? known.parameters : mechanism.parameters;
});
export const axes = computed((): readonly CurveAxis[] =>
  state.value === null ? [] : curveAxes(state.value, parameters.value),
);
export const axis = computed(() => axes.value.find(({ over }) => over === state.value?.over) ?? null);

/** Of all accounts that were made, as a bound that is drawn may be one of another mechanism. */
const named = new Set(DRAWN.split(','));
/** Told once the account is whole: its last bounds come late. */
export const strangeBounds = computed(() => {
  const known = shown.value;
  if (state.value === null || known?.works === undefined) return null;
  for (const { name } of known.account.bounds) named.add(name);
  return unknownBounds(state.value.drawn, named);
});

/** As one text each, so that an equal setting asks nothing. */
const settingKey = computed(() => JSON.stringify(setting.value));
const wantedCurve = computed(() =>
  setting.value === null || axis.value === null ? '' : curveKey(setting.value, axis.value),
);

export function startAccount(): void {
  effect(() => {
    const key = settingKey.value;
    const asked = setting.peek();
    if (asked === null) return undefined;
    work.value = 'computing';
    // Ranges first: where a value is refused, they say what is allowed.
    quick.ask(
      'ranges',
      { mechanism: asked.mechanism, parameters: asked.parameters },
      {
        answer: (known) => (ranges.value = { mechanism: asked.mechanism, parameters: known }),
        end: () => askQuick(asked, key),
      },
    );
    return undefined;
  });
  effect(() => {
    const wanted = `${settingKey.value}${wantedCurve.value}`;
    if (setting.peek() === null || wanted === '') return undefined;
    thorough.cancel();
    const timer = setTimeout(() => askWhole(setting.peek()!), REST);
    return () => clearTimeout(timer);
  });
}

function askQuick(asked: AccountSetting, key: string): void {
  if (settingKey.peek() !== key) return;
  quick.ask('quick', asked, {
    answer: (account) => {
      // What is known of the present setting is not replaced by less, nor by the answer to an older question.
      const known = shown.peek();
      const isOfPresent = known !== null && JSON.stringify(known.setting) === settingKey.peek();
      if (isOfPresent && (known.works !== undefined || key !== settingKey.peek())) return;
      refused.value = null;
      shown.value = { setting: asked, account };
      if (work.peek() === 'computing') work.value = 'sharpening';
    },
    refusal: refuse,
  });
}

function refuse(reason: Refusal): void {
  refused.value = reason;
  work.value = '';
}

function askWhole(asked: AccountSetting): void {
  thorough.ask('whole', asked, {
    answer: ({ account, works }) => {
      refused.value = null;
      shown.value = { setting: asked, account, works };
    },
    refusal: refuse,
    end: () => {
      if (refused.peek() === null) drawCurve(asked);
    },
  });
}

/** Curves that were drawn to the end, the last ones. */
const kept = new Map<string, readonly CurvePoint[]>();
const MOST_KEPT = 20;
/** Names of bounds that only the last stage of an account has. */
const LATE = new Set(['sharp', 'popular-input', 'two-messages', 'mixed-data']);

let drawn = '';

function drawCurve(asked: AccountSetting): void {
  const over = axis.peek();
  if (over === null) return;
  const key = curveKey(asked, over);
  const known = kept.get(key);
  if (known !== undefined) {
    drawn = key;
    curve.value = known;
    work.value = '';
    return;
  }
  const finish = (): void => {
    work.value = '';
    kept.set(key, curve.peek());
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  };
  const first = curveValues(over, COARSE);
  const rest = curveValues(over, FINE).filter((x) => !first.includes(x));
  const points = new Map<number, CurvePoint>();
  const ask = (values: readonly number[], sharp: boolean, then: () => void): void => {
    let isRefused = false;
    thorough.ask(
      'curve',
      { setting: asked, over: over.over, values, sharp },
      {
        answer: (point) => {
          points.set(point.x, point);
          work.value = sharp ? 'sharpening the curve' : 'drawing the curve';
          // Until all points of a finer drawing are there, the coarser one stands.
          if (!sharp) show(values === first ? values.length : 0);
        },
        refusal: () => {
          isRefused = true;
        },
        // A curve of which points were refused is drawn anew when it is asked for again.
        end: () => (isRefused ? (work.value = '') : then()),
      },
    );
  };
  const show = (least: number): void => {
    if (drawn !== key && points.size < least) return;
    drawn = key;
    curve.value = [...points.values()].sort((a, b) => a.x - b.x);
  };
  ask(first, false, () => {
    show(0);
    ask(rest, false, () => {
      show(0);
      if (!shown.peek()!.account.bounds.some(({ name }) => LATE.has(name))) return finish();
      const loose = curve.peek();
      const end = (): void => {
        curve.value = withSharp(loose, [...points.values()]);
        finish();
      };
      points.clear();
      ask(first, true, () => {
        const gaining = gainingValues(loose, [...points.values()]);
        if (gaining.length === 0) end();
        else ask(gaining, true, end);
      });
    });
  });
}
