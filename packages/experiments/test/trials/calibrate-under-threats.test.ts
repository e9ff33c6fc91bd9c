// At equal certified privacy parameters are chosen for the honest who take part.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { setDivergenceUpper, threatenedMessagePrivacy } from '@shuffle-dp/accounting';
import { generalizedRandomizedResponse } from '@shuffle-dp/randomizers';
import { accountMechanism } from '../../src/account/account.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { comparedByNobody, compareCells } from '../../src/results/comparison.ts';
import type { CellResult, RunResult } from '../../src/results/run-result.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-threats-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const given = {
  name: 'threatened',
  seed: 'threatened',
  adjacency: 'replace-one',
  trials: 2,
  users: 1000,
  data: { kind: 'categories-zipf', domain: 8, exponent: 1 },
  privacy: { epsilon: 1, delta: 1e-4, accounting: 'certified' },
};

let runs = 0;
function run(changes: object): Promise<RunResult> {
  const file = 'threatened.yaml';
  const config = parseConfig(JSON.stringify({ ...given, ...changes }), file);
  return runExperiment(config, file, { out: join(root, `run ${runs++}`), workers: 0 });
}

const upper = ({ certified }: CellResult): number =>
  Math.max(...certified.map(({ epsilon }) => epsilon.upper));

describe('under threats', () => {
  it('what is proved of the honest who take part meets the target, and does not fall far below it', async () => {
    const result = await run({
      protocols: [
        { kind: 'frequency', randomizer: ['grr', 'subset'], accounting: 'blanket' },
        { kind: 'pure-dump' },
        { kind: 'cheu-zhilyaev', blanketRate: 2 },
      ],
      threats: [
        { colluding: [0, 0.3] },
        { dropout: 0.3 },
        { poisoning: { fraction: 0.2, attack: 'input', targets: [7] } },
      ],
    });
    expect(result.refused).toBeUndefined();
    expect(comparedByNobody(result)).toEqual([]);
    expect(compareCells(result).map(({ cells, excluded }) => [cells.length, excluded])).toEqual(
      Array.from({ length: 4 }, () => [4, []]),
    );
    for (const cell of result.cells) {
      expect(upper(cell)).toBeLessThanOrEqual(1);
      expect(upper(cell)).toBeGreaterThan(0.97);
    }
  });

  it.each([
    [20_000, 2, { colluding: 0.3 }],
    [20_000, 2, { dropout: 0.6 }],
    [2000, 1, { dropout: 0.6 }],
  ])('%d users have hardly more blankets than epsilon %d takes', async (users, epsilon, threats) => {
    const { cells } = await run({
      users,
      data: { kind: 'categories-zipf', domain: 4, exponent: 1 },
      privacy: { epsilon, delta: 1e-6, accounting: 'certified' },
      protocols: [{ kind: 'pure-dump' }],
      threats,
    });
    expect(upper(cells[0]!)).toBeLessThanOrEqual(epsilon);
    expect(upper(cells[0]!)).toBeGreaterThan(0.85 * epsilon);
  });

  it('the budget is the one that the accountant of threats allows', async () => {
    const result = await run({
      protocols: [{ kind: 'frequency', randomizer: 'grr' }],
      threats: { colluding: [0, 0.5], dropout: 0.1 },
    });
    const budgets = result.cells.map(({ parameters }) => parameters['epsilon0'] as number);
    expect(budgets[1]).toBeLessThan(budgets[0]!);
    const proved = (epsilon0: number, colluding: number): number =>
      threatenedMessagePrivacy(generalizedRandomizedResponse({ domain: 8, epsilon0 }), 1000, 1e-4, {
        colluding,
        dropout: 0.1,
      }).epsilon.upper;
    for (const [i, colluding] of [0, 0.5].entries()) {
      expect(proved(budgets[i]!, colluding)).toBeLessThanOrEqual(1);
      expect(proved(budgets[i]! * 1.01, colluding)).toBeGreaterThan(1);
    }
  });

  it.each([
    [
      'numbers',
      { kind: 'numbers-uniform', points: 11 },
      { kind: 'mean', randomizer: 'duchi', accounting: 'blanket' },
    ],
    [
      'numbers whose noise is shared',
      { kind: 'numbers-uniform', points: 11 },
      { kind: 'split-and-mix', honest: 0.7 },
    ],
    ['vectors', { kind: 'vectors-sphere', dimensions: 4 }, { kind: 'priv-unit' }],
    ['key-values', { kind: 'key-values-zipf', domain: 6, items: 2 }, { kind: 'pckv-grr' }],
  ])('of %s too', async (_, data, protocol) => {
    const simulation = 'messages';
    const { cells } = await run({ data, simulation, protocols: [protocol], threats: { colluding: 0.3 } });
    expect(upper(cells[0]!)).toBeLessThanOrEqual(1);
    expect(upper(cells[0]!)).toBeGreaterThan(0.97);
  });

  it.each(['split-and-mix', 'anonymous-count'])(
    'noise that users of %s share is enough without others',
    async (kind) => {
      const setting = {
        data: { kind: 'numbers-uniform', points: 11 },
        protocols: [{ kind }],
        threats: [{ colluding: [0, 0.3] }, { poisoning: { fraction: 0.2, attack: 'input' } }],
      };
      const { cells, refused } = await run(setting);
      expect(refused).toBeUndefined();
      expect(cells.map(({ parameters }) => parameters['honest'] ?? 1000)).toEqual([1000, 700, 800]);
      for (const cell of cells) {
        expect(upper(cell)).toBeLessThanOrEqual(1);
        expect(upper(cell)).toBeGreaterThan(0.97);
      }
      // As published the noise of all is counted on, and what is left of it hides less.
      const { accounting: _, ...privacy } = given.privacy;
      const published = await run({ ...setting, privacy, threats: { colluding: 0.3 } });
      expect(published.cells[0]!.parameters['honest'] ?? 1000).toBe(1000);
      expect(upper(published.cells[0]!)).toBeGreaterThan(1.2);
    },
  );

  it('sets are sent at rates for the blankets of the honest', { tags: 'long' }, async () => {
    const levels = [0.5, 1];
    const result = await run({
      data: { kind: 'sets-zipf', domain: 9, items: 2, exponent: 1 },
      privacy: { levels, shares: [0.5, 0.5], delta: 1e-4, accounting: 'certified' },
      protocols: [{ kind: 'segmented', blanketRate: 4 }, { kind: 'segmented' }, { kind: 'subexp-shuffled' }],
      threats: { colluding: [0, 0.3] },
    });
    expect(comparedByNobody(result)).toEqual([]);
    expect(compareCells(result).map(({ cells, excluded }) => [cells.length, excluded])).toEqual([
      [3, []],
      [3, []],
    ]);
    for (const { kind, parameters, sweep } of result.cells) {
      if (kind !== 'segmented') continue;
      const honest = 1000 * (1 - (sweep['colluding'] as number));
      const blanketsPerItem = (honest * (parameters['blanketRate'] as number)) / 9;
      (parameters['rates'] as readonly number[]).forEach((rate, k) => {
        const divergence = (sent: number): number =>
          setDivergenceUpper(
            { rate: sent, blanketsPerItem, successProbability: 1, itemsChanged: 2 },
            levels[k]!,
          );
        expect(divergence(rate)).toBeLessThanOrEqual(1e-4);
        if (rate < 0.99) expect(divergence(rate * 1.01)).toBeGreaterThan(1e-4);
      });
    }
  });

  it('what was proved of the honest alone counts where an account of them ends above it', async () => {
    // An account says 1.0026 of the budget that is proved to meet 1.
    const { cells } = await run({
      privacy: { epsilon: 1, delta: 1e-6, accounting: 'certified' },
      protocols: [{ kind: 'frequency', randomizer: 'hadamard' }],
      threats: { colluding: 0.3 },
    });
    const { epsilon0, order } = cells[0]!.parameters as { readonly epsilon0: number; readonly order: number };
    const account = accountMechanism('hadamard', { epsilon0, order }, 700, { delta: 1e-6 });
    expect(account.bracket.upper).toBeGreaterThan(1.001);
    expect(upper(cells[0]!)).toBe(1);
    expect(cells[0]!.certified[0]!.epsilon.lower).toBe(account.bracket.lower);
  });

  it('a spec that fixes everything is listed above its target', { tags: 'long' }, async () => {
    const [excluded] = comparedByNobody(
      await run({
        data: { kind: 'sets-zipf', domain: 9, items: 2, exponent: 1 },
        privacy: { levels: [0.5], delta: 1e-4, accounting: 'certified' },
        protocols: [{ kind: 'subexp-shuffled', epsilon: 3 }],
        threats: { colluding: 0.5 },
      }),
    );
    expect(excluded!.why).toMatch(/^all users asked for 0\.5, but the certified epsilon is [\d.]+$/u);
  });
});
