// What is ranked at equal certified privacy, and what is said of the rest.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  FREQUENCY_PROTOCOLS,
  KEY_VALUE_PROTOCOLS,
  NUMBER_PROTOCOLS,
  PLACE_PROTOCOLS,
  SET_PROTOCOLS,
  VECTOR_PROTOCOLS,
} from '@shuffle-dp/protocols';
import { type ConfigOverrides, parseConfig } from '../../src/config/load-config.ts';
import { accountingChanges } from '../../src/results/accounting-change.ts';
import { comparedByNobody, compareCells } from '../../src/results/comparison.ts';
import { isAtCertifiedPrivacy, moreThanAsked, turnedIntoOthers } from '../../src/results/equal-privacy.ts';
import type { RunResult } from '../../src/results/run-result.ts';
import { dryRun } from '../../src/run/dry-run/dry-run.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-equal-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const given = {
  name: 'equal',
  seed: 'equal',
  adjacency: 'replace-one',
  trials: 1,
  simulation: 'messages',
  users: 500,
  privacy: { epsilon: 1, delta: 1e-4, accounting: 'certified' },
};
const levels = { levels: [0.5, 1, 2], shares: [0.25, 0.5, 0.25], delta: 1e-4 };
const sets = {
  data: { kind: 'sets-zipf', domain: 9, items: 2, exponent: 1 },
  privacy: { ...levels, accounting: ['published', 'certified'] },
  users: 200,
};

/** A randomizer where a protocol takes several, and what has no default. */
const REQUIRED: Readonly<Record<string, object>> = {
  frequency: { randomizer: ['grr', 'oue', 'subset'] },
  mean: { randomizer: ['duchi', 'gaussian'] },
  segmented: { blanketRate: 2 },
  'fixed-point-mean': { steps: 4 },
};
const every = (cards: readonly { readonly kind: string }[]): object[] =>
  cards
    // Sums bits alone.
    .filter(({ kind }) => kind !== 'balcer-cheu')
    .map(({ kind }) => ({ kind, ...REQUIRED[kind] }));

let runs = 0;
async function run(changes: object, overrides = {}): Promise<RunResult> {
  const file = 'equal.yaml';
  const config = parseConfig(JSON.stringify({ ...given, ...changes }), file, overrides);
  return runExperiment(config, file, { out: join(root, `run ${runs++}`), workers: 0 });
}

/** What each group asked for, read from the config by hand. */
function askedFor(group: string | undefined): number {
  const level = /^level (.*)$/u.exec(group ?? '')?.[1];
  return level === undefined ? 0.5 : Number(level);
}

describe('at equal certified privacy', () => {
  it.each([
    [
      'categories',
      { data: { kind: 'categories-zipf', domain: 8, exponent: 1 }, protocols: every(FREQUENCY_PROTOCOLS) },
    ],
    ['numbers', { data: { kind: 'numbers-uniform', points: 11 }, protocols: every(NUMBER_PROTOCOLS) }],
    [
      'key-values',
      { data: { kind: 'key-values-zipf', domain: 6, items: 2 }, protocols: every(KEY_VALUE_PROTOCOLS) },
    ],
    ['places', { data: { kind: 'places-clusters', grid: 2 }, protocols: every(PLACE_PROTOCOLS) }],
    ['vectors', { data: { kind: 'vectors-sphere', dimensions: 4 }, protocols: every(VECTOR_PROTOCOLS) }],
  ])('no protocol of %s is ranked beyond the target', async (_, changes) => {
    const result = await run(changes);
    const groups = compareCells(result);
    const ranked = groups.flatMap((group) => group.cells.map(({ cell }) => cell));
    const out = [...groups.flatMap((group) => group.excluded), ...comparedByNobody(result)];
    expect(ranked.length + out.length).toBe(result.cells.length);
    for (const { certified } of ranked)
      for (const { epsilon, delta } of certified) {
        expect(epsilon.upper).toBeLessThanOrEqual(1);
        expect(delta).toBeLessThanOrEqual(1e-4);
      }
    // All can be calibrated so.
    expect(out.map(({ cell, why }) => `${cell.protocol}: ${why}`)).toEqual([]);
  });

  it('no protocol of sets is ranked beyond the target of any group', async () => {
    const privacy = { ...levels, accounting: 'certified' };
    const result = await run({ ...sets, privacy, protocols: every(SET_PROTOCOLS) });
    const certified = compareCells(result).filter(({ best }) => isAtCertifiedPrivacy(best));
    expect(certified).toHaveLength(1);
    const ranked = certified[0]!.cells.map(({ cell }) => cell);
    expect(ranked.length).toBeGreaterThanOrEqual(SET_PROTOCOLS.length - 1);
    for (const cell of ranked)
      for (const { epsilon, group } of cell.certified)
        expect(epsilon.upper).toBeLessThanOrEqual(askedFor(group));
    const local = ranked.find(({ kind }) => kind === 'subexp-local')!;
    expect(moreThanAsked(local, levels)).toEqual([
      'level 1 asked for 1 and gets 0.5',
      'level 2 asked for 2 and gets 0.5',
    ]);
  });

  it('some are as published, which a sentence says', async () => {
    const result = await run({
      ...sets,
      protocols: [{ kind: 'segmented', blanketRate: 2 }, { kind: 'subexp-local' }],
    });
    const published = compareCells(result).find(({ best }) => !isAtCertifiedPrivacy(best))!;
    const beyond = published.cells.flatMap(({ cell }) =>
      cell.certified.filter(({ epsilon, group }) => epsilon.upper > askedFor(group)),
    );
    expect(beyond.length).toBeGreaterThan(0);
    expect(accountingChanges(result)).toEqual([expect.stringContaining('not proved to meet')]);
  });

  it('lists what a spec leaves above its target, and says why', async () => {
    const privacy = { ...levels, accounting: 'certified' };
    const protocols = [{ kind: 'subexp-shuffled', epsilon: 3 }];
    const fixed = await run({ ...sets, privacy, protocols });
    expect(compareCells(fixed)).toEqual([]);
    expect(comparedByNobody(fixed).map(({ why }) => why)).toEqual([
      expect.stringMatching(/^all users asked for 0\.5, but the certified epsilon is 3$/u),
    ]);
  });

  it('takes protocols that differed in their accounting alone for one', async () => {
    const protocols = [
      { kind: 'segmented', blanketRate: 2 },
      { kind: 'segmented', blanketRate: 2, accounting: 'exact' },
    ];
    const { cells } = await run({ ...sets, protocols });
    expect(cells.filter((cell) => isAtCertifiedPrivacy(cell))).toHaveLength(1);
    expect(cells).toHaveLength(3);
  });
});

describe('overrides', () => {
  const data = { kind: 'categories-zipf', domain: 8, exponent: 1 };
  const text = JSON.stringify({ ...given, data, protocols: [{ kind: 'pure-dump' }] });
  const parsed = (...set: string[]) => parseConfig(text, 'equal.yaml', { set });

  it('set fields by their paths', () => {
    expect(parsed('privacy.epsilon=[0.5, 2]', 'users=70').privacy.epsilon).toEqual([0.5, 2]);
    expect(parsed('users=70').users).toBe(70);
    expect(parsed('protocols[0].label=x').protocols[0]).toMatchObject({ kind: 'pure-dump', label: 'x' });
    expect(parsed('threats.dropout=0.1').threats).toEqual({ dropout: 0.1 });
    expect(parseConfig(text, 'equal.yaml', { accounting: 'certified' }).privacy.accounting).toBe('certified');
  });

  it.each([
    ['users', 'must be path=value'],
    ['=3', 'must be path=value'],
    ['a..b=3', 'must be path=value'],
    ['users=-1', 'users = -1'],
    ['protocols[1].label=x', 'the config has no protocols[1]'],
    ['users.most=3', 'the config has no users.most'],
    ['__proto__.x=1', 'must be the path of a field'],
    ['trials=[', '--set trials: line 1'],
    ['nothing=3', 'nothing'],
  ])('refuses %s', (set, message) => {
    expect(() => parsed(set)).toThrow(message);
  });

  it('refuses a field that is set twice', () => {
    expect(() => parseConfig(text, 'equal.yaml', { set: ['trials=3', 'users=9', 'trials=4'] })).toThrow(
      '--set trials is given twice',
    );
    const both = (field: string, overrides: ConfigOverrides) => () =>
      parseConfig(text, 'equal.yaml', { ...overrides, set: [field] });
    expect(both('trials=5', { trials: 7 })).toThrow('--set trials is given beside --trials');
    expect(both('seed=b', { seed: 'a' })).toThrow('--set seed is given beside --seed');
    expect(both('privacy.accounting=published', { accounting: 'certified' })).toThrow(
      '--set privacy.accounting is given beside --certified',
    );
  });

  it('show what would run, and write nothing', async () => {
    const config = parsed('users=[50, 70]');
    const { cells, seconds } = await dryRun(config, 'equal.yaml', { workers: 2 });
    expect(cells.map(({ users, trials }) => [users, trials])).toEqual([
      [50, 1],
      [70, 1],
    ]);
    const total = cells.reduce((sum, cell) => sum + cell.seconds, 0);
    expect(seconds).toBeCloseTo(total / 2, 9);
    expect(existsSync(join(root, 'equal'))).toBe(false);
  });

  it('says which protocols are others then', async () => {
    const slots = { kind: 'segmented', blanketRate: 2, slots: 3 };
    const plain = { kind: 'segmented', blanketRate: 2 };
    const labelled = { ...slots, label: 'three slots' };
    const { privacy } = sets;
    const both = await run({
      ...sets,
      simulation: 'aggregated',
      protocols: [plain, labelled, { ...slots, slots: 4 }],
    });
    expect(accountingChanges(both).at(-1)).toMatch(
      /^At equal certified privacy Segmented \(protocols\[2\]\) is the same as another protocol/u,
    );
    expect(turnedIntoOthers(both)).toEqual(['three slots (protocols[1])', 'Segmented (protocols[2])']);
    const alone = { ...sets, simulation: 'aggregated', protocols: [labelled] };
    expect(turnedIntoOthers(await run(alone))).toEqual([]);
    expect(
      turnedIntoOthers(await run({ ...alone, privacy: { ...privacy, accounting: 'published' } })),
    ).toEqual([]);
  });
});
