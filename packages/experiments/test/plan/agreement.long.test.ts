// @module-tag long
/**
 * Whether plans name the protocol that a comparison names: every protocol that is planned with, in every
 * variant of its grid, is calibrated and run by `compare` on even data. The plan's first has to be the one of
 * the least theory line there, and its measured error must not be separated from the least one: trials cannot
 * rank protocols whose errors differ by a percent, and theory alone would not notice a wrong formula. A
 * setting takes some ten seconds: fewer are had by AGREEMENT_SETTINGS.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ParameterError, RandomStream, ratiosToLeast } from '@shuffle-dp/core';
import { parseConfig } from '../../src/config/index.ts';
import { candidates } from '../../src/plan/candidates.ts';
import { createdProtocol } from '../../src/plan/created-protocol.ts';
import { plan, planConfig, type Plan, type PlannedProtocol, type PlanSetting } from '../../src/plan/index.ts';
import { bySharpest } from '../../src/plan/row-accounting.ts';
import { compareCells } from '../../src/results/index.ts';
import { runExperiment } from '../../src/run/index.ts';

const SETTINGS = Number(process.env['AGREEMENT_SETTINGS'] ?? 100);
const TRIALS = 60;
/** Of all settings, those in which the plan's first is the comparison's. */
const AGREED = 0.95;

describe(`plans of ${SETTINGS} random settings`, () => {
  it('name the protocol of the least error, which no trials contradict', async () => {
    const stream = RandomStream.fromSeed('plan agreement');
    const said: string[] = [];
    let agreed = 0;
    let contradicted = 0;
    let drawn = 0;
    while (drawn < SETTINGS) {
      const setting = randomSetting(stream);
      const planned = plannedAt(setting);
      if (planned === null) continue;
      drawn++;
      const { best, first, ratio } = await compared(planned, `agreement-${drawn}`);
      const same = best === first;
      if (same) agreed++;
      if (ratio.lower > 1) contradicted++;
      said.push(
        `${same ? 'same' : 'other'} ${JSON.stringify(setting)}: ${first}, least ${best}, ` +
          `measured ${ratio.lower.toFixed(3)} to ${ratio.upper.toFixed(3)} of the least`,
      );
      if (process.env['AGREEMENT_SETTINGS']) console.log(said.at(-1));
    }
    console.log(`${agreed} of ${SETTINGS} agree, trials contradict ${contradicted}`);
    expect(contradicted, `settings:\n${said.join('\n')}`).toBe(0);
    expect(agreed / SETTINGS, `settings:\n${said.join('\n')}`).toBeGreaterThanOrEqual(AGREED);
  });
});

function randomSetting(stream: RandomStream): PlanSetting {
  const among = <Value>(values: readonly Value[]): Value => values[stream.integerBelow(values.length)]!;
  const task = among(['frequencies', 'ranges', 'mean', 'sum', 'sets'] as const);
  const [least, most] = among([FEW, FEW, MANY]);
  const users = Math.round(least * (most / least) ** stream.next());
  const privacy = { epsilon: 10 ** (-0.7 + 1.2 * stream.next()), delta: among([1e-5, 1e-6, 1e-8]) };
  const limits = among([{}, {}, { messages: 1 }, { messages: 4 }]);
  if (task === 'mean' || task === 'sum') return { task, users, ...privacy, limits };
  const domain = 4 + stream.integerBelow(60);
  if (task === 'sets') return { task, users, domain, items: 1 + stream.integerBelow(3), ...privacy, limits };
  return { task, users, domain, ...privacy, limits };
}

/**
 * Users, the least and the most: so few that every message is made, and so many that only their sums are
 * drawn.
 */
const FEW = [500, 3e4] as const;
const MANY = [3e4, 1e7] as const;

/**
 * Null where no protocol is left, where the one that is left has nothing to be compared with, and where
 * trials of so many would take too long.
 */
function plannedAt(setting: PlanSetting): Plan | null {
  try {
    const planned = plan(setting);
    const quick = setting.users <= FEW[1] || isAggregated(planned);
    return planned.rows.length < 2 || !quick ? null : planned;
  } catch (error) {
    if (error instanceof ParameterError) return null;
    throw error;
  }
}

function isAggregated({ rows }: Plan): boolean {
  return rows.every(({ paths }) => paths.includes('aggregated'));
}

/** A config of a value that the protocol does not take is refused. */
function isPossible(spec: PlannedProtocol['spec'], setting: PlanSetting): boolean {
  try {
    createdProtocol(spec, setting);
    return true;
  } catch (error) {
    if (error instanceof ParameterError) return false;
    throw error;
  }
}

interface Compared {
  /** Of the least theory line, and the plan's first. */
  readonly best: string;
  readonly first: string;
  /** Measured error of the plan's first to the least measured one. */
  readonly ratio: { readonly lower: number; readonly upper: number };
}

async function compared(planned: Plan, name: string): Promise<Compared> {
  const { setting, rows } = planned;
  // A plan may have calibrated its rows by another bound than it first compares by, and tuned a number.
  const keyOf = (spec: PlannedProtocol['spec']): string => JSON.stringify(bySharpest(spec));
  const own = rows.map(({ protocol, spec }) => ({ title: protocol, spec: keyOf(spec), document: spec }));
  const kindOf = (spec: PlannedProtocol['spec']): string =>
    `${spec.kind} ${'randomizer' in spec ? spec.randomizer : ''}`;
  const named = new Map(rows.map(({ protocol, spec }) => [kindOf(spec), protocol]));
  const known = new Set(own.map(({ spec }) => spec));
  const protocols = [
    ...own,
    ...candidates(setting.task).flatMap(({ variants }) => {
      const title = named.get(kindOf(variants[0]!));
      const others = variants.filter((spec) => !known.has(keyOf(spec)) && isPossible(spec, setting));
      return title === undefined ? [] : others.map((spec) => ({ title, spec: keyOf(spec), document: spec }));
    }),
  ].map((one, i) => ({ ...one, document: { ...one.document, label: `${one.title} ${i}` } }));
  const document = planConfig(planned, name);
  const out = mkdtempSync(join(tmpdir(), 'plan-agreement-'));
  try {
    const config = parseConfig(
      JSON.stringify({
        ...document,
        trials: TRIALS,
        simulation: isAggregated(planned) ? 'aggregated' : 'messages',
        protocols: protocols.map(({ document: spec }) => spec),
      }),
      name,
    );
    const run = await runExperiment(config, name, { out, workers: 0, command: 'test' });
    const [group] = compareCells(run);
    const within = group!.cells.filter(
      ({ cell }) => cell.messagesPerUser <= (setting.limits?.messages ?? Infinity),
    );
    const best = within.reduce((least, one) => (one.cell.mseTheory! < least.cell.mseTheory! ? one : least));
    const titleOf = (spec: string): string => protocols.find((one) => one.spec === spec)!.title;
    const chosen = keyOf(rows[0]!.spec);
    const place = within.findIndex(({ cell }) => protocols[cell.series]!.spec === chosen);
    // What is over the limit of messages may err less.
    const ratios = ratiosToLeast(
      within.map(({ cell: { error, trials } }) => ({
        mean: error.mean,
        relativeVariance: error.relativeVariance,
        count: trials,
      })),
    );
    return {
      best: protocols[best.cell.series]!.title,
      first: titleOf(chosen),
      ratio: ratios[place] ?? { lower: 1, upper: 1 },
    };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
