import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditChart, auditCsv } from '../../src/audit/audit-chart.ts';
import { auditConfig, auditMechanism, type AuditOptions } from '../../src/audit/run-audit.ts';
import { parseConfig } from '../../src/config/load-config.ts';

const OPTIONS: AuditOptions = { trials: 4000, confidence: 0.99, deltas: [0.05], seed: 'run', workers: 0 };
const GRR = { epsilon0: 3, domain: 3 };

describe('an audit of a mechanism', () => {
  it('is the same whatever the threads', async () => {
    const [here, threads] = await Promise.all(
      [0, 2].map((workers) => auditMechanism('grr', GRR, 10, { ...OPTIONS, trials: 1000, workers })),
    );
    expect(threads).toEqual(here);
  });

  it('shows that a refuted bound is refuted: the counterexample of docs/soundness.md', async () => {
    // At p = 4, two users and e^epsilon = 3.5 the theorem claims 1/72, and the truth is 1/18.
    const parameters = { epsilon0: Math.log(4), domain: 3 };
    const options = { ...OPTIONS, trials: 100_000, deltas: [1 / 72], published: 'variation-ratio' };
    const { verdict, rows } = await auditMechanism('grr', parameters, 2, options);
    expect(verdict).toBe('violated');
    expect(rows[0]!.published).toBeCloseTo(Math.log(3.5), 5);
    expect(rows[0]!.measured).toBeLessThan(rows[0]!.certified.upper);
    const chart = auditChart([await auditMechanism('grr', parameters, 2, { ...options, trials: 1000 })]);
    expect(chart.panels[0]!.series.map(({ name }) => name)).toContain('as published');
  });

  it('counts the others where they are many', async () => {
    const { path, verdict } = await auditMechanism('grr', GRR, 1_000_000, OPTIONS);
    expect([path, verdict]).toEqual(['aggregated', 'consistent']);
  });

  it.each([
    ['wheel', { epsilon0: 1, items: 2 }, OPTIONS, 'mechanism'],
    ['laplace', { epsilon0: 1 }, { ...OPTIONS, path: 'aggregated' as const }, 'messages for laplace'],
    ['grr', GRR, { ...OPTIONS, deltas: [0] }, 'deltas = 0: must be in (0, 1)'],
    ['grr', GRR, { ...OPTIONS, deltas: [] }, 'deltas = "none": must be one at least'],
    ['grr', GRR, { ...OPTIONS, confidence: 1 }, 'confidence = 1: must be above 0 and at most 0.999999999'],
    ['grr', GRR, { ...OPTIONS, confidence: 1 - 1e-16 }, 'must be above 0 and at most 0.999999999'],
    ['grr', GRR, { ...OPTIONS, trials: 10 }, 'trials = 10: must be an integer of at least 1000'],
    ['grr', GRR, { ...OPTIONS, published: 'none' }, 'published = "none": must be one of'],
    ['hadamard', { epsilon0: 1, order: 16, blocks: 2 }, OPTIONS, 'blocks = 2: must be 1'],
  ])('refuses %s of %j', async (mechanism, parameters, options, message) => {
    await expect(auditMechanism(mechanism, parameters, 10, options)).rejects.toThrow(message);
  });
});

describe('an audit of a config', () => {
  const config = (protocol: string, data = '{ kind: categories-uniform, domain: 3 }'): string =>
    `name: audited\nseed: a\nadjacency: replace-one\nusers: 30\ntrials: 1\nsimulation: messages\ndata: ${data}\nprivacy: { epsilon: 0.8, delta: 0.01 }\nprotocols:\n  - ${protocol}\n`;
  const auditOf = (text: string): ReturnType<typeof auditConfig> =>
    auditConfig(parseConfig(text, 'a.yaml'), join(import.meta.dirname, 'a.yaml'), OPTIONS);

  it('sees messages of a randomizer, and else the estimates', async () => {
    const [grr] = await auditOf(config('{ kind: frequency, randomizer: grr, accounting: blanket }'));
    expect(grr).toMatchObject({ sees: 'messages', verdict: 'consistent' });
    const [hadamard] = await auditOf(
      config('{ kind: frequency, randomizer: hadamard, accounting: blanket }'),
    );
    expect(hadamard).toMatchObject({ sees: 'estimates', verdict: 'consistent' });
    // What holds at 0.01 holds at 0.05.
    expect(hadamard!.rows.map(({ delta }) => delta)).toEqual([0.05, 0.01]);
    expect(auditCsv([grr!, hadamard!]).trim().split('\n')).toHaveLength(4);
    // A spreadsheet would run it.
    expect(auditCsv([{ ...grr!, name: '=1+1' }])).toMatch(/^'=1\+1,30,/mu);
  });

  const SETS = '{ kind: sets-uniform, domain: 8, items: 2 }';
  const ofSets = (protocol: string, target = 'levels: [0.8]'): string =>
    config(protocol, SETS).replace('epsilon: 0.8', target);

  it('takes sets of items, on either path', async () => {
    const [blankets] = await auditOf(
      ofSets('{ kind: balls-into-bins, accounting: exact, blankets: poisson }'),
    );
    expect(blankets).toMatchObject({ sees: 'estimates', verdict: 'consistent', path: 'messages' });
    // One of the two events has to find something of an epsilon of 0.8 in 4000 trials.
    expect(blankets!.rows[0]!.measured).toBeGreaterThan(0.1);
    const text = ofSets('{ kind: subexp-shuffled, accounting: blanket }').replace('messages', 'aggregated');
    const [oracle] = await auditOf(text);
    expect(oracle).toMatchObject({ verdict: 'consistent', path: 'aggregated' });
  });

  it.each([
    [
      'numbers',
      config(
        '{ kind: mean, randomizer: laplace, accounting: blanket }',
        '{ kind: numbers-uniform, low: 0, high: 1 }',
      ),
    ],
    [
      'simulation = "aggregated": must be \'messages\' for an audit',
      ofSets('{ kind: wheel, accounting: blanket }').replace('messages', 'aggregated'),
    ],
    [
      'a.yaml: threats: must be left out: an audit runs rounds in which all users are honest',
      `${config('{ kind: frequency, randomizer: grr, accounting: blanket }')}threats: [{}, { dropout: 0.9 }]\n`,
    ],
  ])('refuses %s', async (message, text) => {
    await expect(auditOf(text)).rejects.toThrow(message);
  });
});
