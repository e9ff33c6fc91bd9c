/**
 * docs/gaps.md: how far the two certified ends lie apart, before and after the sharp bound. It takes minutes,
 * and its times are those of the machine that wrote it: no test makes it again.
 */
import type { MechanismCard, ParameterValues } from '@shuffle-dp/core';
import { accountMechanism, MECHANISMS } from '@shuffle-dp/experiments/account';
import { markdownTable } from '@shuffle-dp/experiments/report';
import { DELTA } from './example-accounts.ts';
import { digitsOfEnd } from './mechanisms-page.ts';

/** Values of the parameter along which privacy falls, by its name. */
const VALUES: Readonly<Record<string, readonly number[]>> = {
  epsilon0: [0.5, 1, 2, 4, 8],
  sigma: [4, 2, 1, 0.5],
};

/** What a column has where there is nothing to say. */
const NONE = '-';
/** Of ends: gaps of a thousandth are seen. */
const DIGITS = 5;

interface GapRow {
  readonly mechanism: string;
  readonly at: string;
  readonly lower: number;
  readonly upper: number;
  /** The upper end by the blanket alone, F2. */
  readonly blanket: number | null;
  /** The bound that gave the upper end. */
  readonly by: string;
  readonly seconds: number;
}

/** @param told is called with each row's name before it is computed, as it takes seconds */
export function gapsPage(told: (name: string) => void): string {
  const tables = [10_000, 1_000_000].map((users) => {
    const rows = MECHANISMS.flatMap((card) =>
      settingsOf(card).map((given) => gapRow(card, given, users, told)),
    );
    return [`## ${users.toLocaleString('en')} users`, tableOf(rows)].join('\n\n');
  });
  return `${[
    '# How far the certified ends lie apart',
    '<!-- Written by `pnpm run docs:gaps`. Do not edit by hand. -->',
    'Every mechanism at its example, and at five local budgets or four deviations of noise; delta = 1e-6. A gap is the upper end over the\nlower one, less one. "By the blanket" is what F2 of [soundness.md](soundness.md) gives alone, as all upper ends were before the\n[sharp bound](sharp-bound.md); "certified" is what `account` says, the least of all sound bounds, and "by" names the bound that gave it.\nSeconds are of the processor, not the clock, the whole account with every published bound.',
    ...tables,
  ].join('\n\n')}\n`;
}

function settingsOf({ parameters, example }: MechanismCard): ParameterValues[] {
  const [first] = parameters;
  const values = VALUES[first!.name];
  return values ? values.map((value) => ({ ...example, [first!.name]: value })) : [example];
}

function gapRow(
  { name, parameters }: MechanismCard,
  given: ParameterValues,
  users: number,
  told: (name: string) => void,
): GapRow {
  const first = parameters[0]!.name;
  const at = `${first} ${given[first]}`;
  told(`${name} ${at}, ${users} users`);
  const before = process.cpuUsage();
  const { bracket, bounds } = accountMechanism(name, given, users, { delta: DELTA });
  const { user, system } = process.cpuUsage(before);
  const sound = bounds.filter(({ sound: proved, direction }) => proved === true && direction !== 'lower');
  return {
    mechanism: name,
    at,
    ...bracket,
    blanket: sound.find((bound) => bound.name === 'blanket')?.value ?? null,
    by: sound.find(({ value }) => value === bracket.upper)?.name ?? NONE,
    seconds: (user + system) / 1e6,
  };
}

function tableOf(rows: readonly GapRow[]): string {
  return markdownTable(
    ['mechanism', 'at', 'epsilon from', 'to', 'gap by the blanket', 'gap, certified', 'by', 'seconds'],
    rows.map(({ mechanism, at, lower, upper, blanket, by, seconds }) => [
      `\`${mechanism}\``,
      at,
      digitsOfEnd(lower, 'lower', DIGITS),
      digitsOfEnd(upper, 'upper', DIGITS),
      blanket === null ? NONE : gapText(lower, blanket),
      gapText(lower, upper),
      by === NONE ? NONE : `\`${by}\``,
      seconds.toFixed(1),
    ]),
  );
}

/** In per cent, as a factor where it is more than a half. */
function gapText(lower: number, upper: number): string {
  if (lower === 0) return upper === 0 ? '0 %' : 'no lower end';
  const gap = upper / lower - 1;
  if (gap > 0.5) return `factor ${Number((gap + 1).toPrecision(3))}`;
  return `${Number((100 * gap).toPrecision(2))} %`;
}
