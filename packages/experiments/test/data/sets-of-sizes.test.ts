// Users whose sets differ in size: what padding does to privacy, by listing all data sets; what it does to
// frequencies, by listing all sets; and that a run says both. Statistical tests have fixed seeds; each has a
// false-alarm rate of 1e-5.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RandomStream } from '@shuffle-dp/core';
import { createSetProtocol } from '@shuffle-dp/protocols';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { openDataSource, type DataConfig } from '../../src/data/data-sets.ts';
import { writeResults } from '../../src/report/write-run.ts';
import type { RunResult } from '../../src/results/run-result.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';
import { range, allSets, padded, listed } from './listed-sets.ts';
import { listedEnds, SIZES } from './sets-within-bracket.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-sizes-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('privacy of sets that differ in size, by listing all of them', () => {
  const { delta, rawDomain, items: s, raws } = SIZES;

  // The long test has more.
  it.each([
    ['fill', 3, 1.5],
    ['fill', 3, 2],
    ['dummy', 3, 1.5],
    ['dummy', 4, 1],
  ] as const)('%s, %d users, %d blankets: within the certified bracket', (rule, users, blanketRate) => {
    const { above, below, lower } = listedEnds(rule, users, blanketRate);
    expect(above.largest).toBeLessThanOrEqual(delta * (1 + 1e-9));
    expect(lower === 0 || below.largest >= delta * (1 - 1e-9)).toBe(true);
    // Pairs of different sizes are no formality.
    expect(below.ofSizes).toBeGreaterThan(delta / 5);
  });

  it('is lost where sets are sent as they come: the number of messages tells', () => {
    const protocol = createSetProtocol(
      { kind: 'segmented', blanketRate: 2 },
      { users: 3, domain: rawDomain, items: s, delta, levels: [3], shares: [1] },
    );
    const { upper } = protocol.certifiedPrivacy()[0]!.epsilon;
    const sets = raws
      .filter(({ length }) => length <= s)
      .map((set) => ({ size: set.length, law: [{ set, p: 1 }] }));
    const rate = (protocol.parameters as { readonly rates: readonly number[] }).rates[0]!;
    const { ofSizes } = listed(sets, rawDomain, { users: 3, rate, slots: 2, probability: 1 }, upper);
    expect(ofSizes).toBeGreaterThan(1.5 * delta);
  });
});

describe('sets of different sizes from a generator', () => {
  const sizes = [0.4, 0, 0.35, 0.25];
  const [domain, items] = [6, 2];
  const weights = range(domain).map((item) => 1 / (item + 1));

  /** Of items drawn one after another without replacement, in every order. */
  function chance(set: readonly number[], left: readonly number[] = range(domain)): number {
    if (set.length === 0) return 1;
    const total = left.reduce((sum, item) => sum + weights[item]!, 0);
    return set.reduce(
      (sum, first) =>
        sum +
        (weights[first]! / total) *
          chance(
            set.filter((item) => item !== first),
            left.filter((item) => item !== first),
          ),
      0,
    );
  }

  it.each(['fill', 'dummy', 'truncate'] as const)(
    'change by %s as a list of all sets says, on both paths',
    (rule) => {
      const config: DataConfig<'sets'> = {
        kind: 'sets-zipf',
        domain,
        items,
        sizes,
        padding: rule,
        exponent: 1,
      };
      const source = openDataSource(config, null);
      const before = new Float64Array(source.domain);
      const after = new Float64Array(source.domain);
      let taking = 0;
      for (const set of allSets(domain)) {
        const probability = (sizes[set.length - 1] ?? 0) * chance(set);
        for (const item of set) before[item]! += probability;
        if (rule === 'truncate' && set.length < items) continue;
        taking += probability;
        for (const way of padded(set, domain, items, rule === 'truncate' ? 'fill' : rule))
          for (const item of way.set) after[item]! += probability * way.p;
      }
      const effect = source.paddingEffect!();
      expect(effect.domain).toBe(domain);
      before.forEach((share, item) => expect(effect.before[item]).toBeCloseTo(share, 12));
      after.forEach((share, item) => expect(effect.after[item]).toBeCloseTo(share / taking, 12));

      const users = 40_000;
      for (const data of [
        source.draw(users, [1], RandomStream.fromSeed(`drawn ${rule}`)),
        source.drawCounts!(users, [1], RandomStream.fromSeed(`counted ${rule}`)),
      ])
        data.histogram.forEach((holders, item) => {
          const p = effect.after[item]!;
          expect(Math.abs(holders / users - p)).toBeLessThanOrEqual(5.5 * Math.sqrt((p * (1 - p)) / users));
        });
    },
  );

  it('are drawn one by one where there are too many to list', () => {
    const source = openDataSource(
      { kind: 'sets-uniform', domain: 30, items: 3, sizes: [0.5, 0, 0, 0.5], padding: 'dummy' },
      null,
    );
    expect(source.drawCounts).toBeUndefined();
    const { before, after } = source.paddingEffect!();
    expect(before[7]).toBeCloseTo(2.5 / 30, 12);
    expect(after[7]).toBeCloseTo(2 / 30, 12);
    expect([...after.subarray(30)]).toEqual([0.5, 0.5]);
    const { histogram, population } = source.draw(10_000, [1], RandomStream.fromSeed('many'));
    expect(population).toEqual(after);
    expect(histogram[30]).toBe(histogram[31]);
    const steep: DataConfig<'sets'> = {
      kind: 'sets-zipf',
      domain: 40,
      items: 2,
      sizes: [0.5, 0.5],
      exponent: 1,
    };
    expect(openDataSource(steep, null).paddingEffect).toBeUndefined();
  });
});

describe('a run with sets of different sizes', () => {
  const config = (data: object, more: object = {}) =>
    parseConfig(
      JSON.stringify({
        name: 'sizes',
        seed: 'sizes',
        adjacency: 'replace-one',
        trials: 3,
        data: { kind: 'sets-uniform', domain: 8, items: 2, ...data },
        users: 400,
        privacy: { levels: [2], delta: 1e-4 },
        protocols: [{ kind: 'balls-into-bins' }],
        ...more,
      }),
      'sizes.yaml',
    );
  const run = (data: object): Promise<RunResult> =>
    runExperiment(config(data), 'sizes.yaml', { out: join(root, JSON.stringify(data)), workers: 0 });

  it('says what padding changes, and of whom privacy is', async () => {
    const result = await run({ sizes: [0, 0.5, 0, 0.5], padding: 'dummy' });
    const out = join(root, 'told');
    for (const folder of ['told', 'untold']) mkdirSync(join(root, folder));
    const views = { keepTrials: false, report: true };
    await writeResults(result, out, views);
    const [header, first, ...rest] = readFileSync(join(out, 'estimates.csv'), 'utf8').trim().split('\n');
    expect(header).toMatch(/,cell,before_padding,padding_bias$/u);
    const [before, bias] = first!.split(',').slice(-2).map(Number);
    expect([before, bias]).toEqual([expect.closeTo(3 / 8, 12), expect.closeTo(-1 / 8, 12)]);
    expect(rest.at(-1)).toMatch(/,0,0$/u);
    const page = readFileSync(join(out, 'report.html'), 'utf8');
    expect(page.includes('sets may differ in size: all sets are brought to 2 items')).toBe(true);
    expect(page.includes('by a total squared 0.125, whatever the number of users')).toBe(true);
    await writeResults(result, join(root, 'untold'), { ...views, truth: false });
    const untold = readFileSync(join(root, 'untold', 'estimates.csv'), 'utf8').split('\n')[1]!;
    expect(untold).toMatch(/,,$/u);
    expect(readFileSync(join(root, 'untold', 'report.html'), 'utf8').includes('Padding alone')).toBe(false);
  });

  it('says who takes part where the others are left out', async () => {
    const { sizes } = await run({ sizes: [0.5, 0.5], padding: 'truncate' });
    expect(sizes).toContain('at least 2 items take part, and who takes part is not hidden');
  });

  it.each([
    [{ padding: 'fill' }, {}, 'data.padding = "fill": must be left out, or data.sizes given'],
    [{ sizes: [0.5, 0.4] }, {}, 'must be numbers that sum to 1'],
    [{ sizes: [] }, {}, 'data.sizes'],
    [{ sizes: [-1, 2] }, {}, 'data.sizes[0] = -1: must be zero or a positive number'],
    [{ sizes: Array<number>(9).fill(1 / 9) }, {}, 'at most 8 shares'],
    [{ sizes: [1], padding: 'truncate' }, {}, 'at least 0.001 for 2 items or more'],
    [
      { sizes: [0.5, 0.5], padding: 'truncate' },
      { privacy: { levels: [2], delta: 1e-4, accounting: 'certified' } },
      "data.padding = \"truncate\": must be 'fill' or 'dummy' at equal certified privacy",
    ],
  ])('refuses %j %j', (data, more, message) => {
    expect(() => config(data, more)).toThrow(message);
  });
});
