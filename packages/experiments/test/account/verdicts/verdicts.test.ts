/**
 * Verdicts in general and at the parameters: expected values are those of the papers, or of independent
 * programs.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateBound, vectorResponseBound } from '@shuffle-dp/accounting';
import { interval, provedBracket, verdictOfBound } from '@shuffle-dp/core';
import { accountMechanism, type Account } from '../../../src/account/account.ts';
import type { AccountedBound } from '../../../src/account/accounted-bound.ts';
import { composeMechanisms } from '../../../src/account/compose-account.ts';
import { MECHANISMS } from '../../../src/account/mechanisms.ts';
import { accountJson } from '../../../../cli/src/output/account-json.ts';
import { accountText } from '../../../../cli/src/output/account-text.ts';
import { composedJson } from '../../../../cli/src/output/composed-account-text.ts';

function named({ bounds }: Account, name: string): AccountedBound {
  return bounds.find((bound) => bound.name === name)!;
}

describe('Theorem 1 of the composition paper', () => {
  const vectors = { bits: 2, keepProbability: 0.9 };

  it('says 3.6929 of two bits among 20 users, where the truth lies from 4.38766 to 4.3941', () => {
    const account = accountMechanism('vector-rr', vectors, 20, { delta: 1e-4 });
    expect(account.bracket.lower).toBeCloseTo(4.38766, 4);
    expect(account.bracket.upper).toBeCloseTo(4.3941, 4);
    const theorem = named(account, 'vector-rr-theorem-1');
    expect(theorem.value).toBeCloseTo(3.6929, 4);
    expect(theorem).toMatchObject({
      sound: false,
      verdict: 'refuted',
      source: expect.stringContaining('Theorem 1'),
    });
    expect(theorem.counterexample!.command).toContain('account vector-rr --bits 2 --keep-probability 0.9');
  });

  it('holds for one bit, which is binary randomized response', () => {
    const account = accountMechanism('vector-rr', { bits: 1, keepProbability: 0.8 }, 1000, { delta: 1e-6 });
    expect(named(account, 'vector-rr-theorem-1')).toMatchObject({ sound: true, verdict: 'certified' });
  });

  it('is refuted in general, and true of four bits of which the blanket proves less', () => {
    const account = accountMechanism('vector-rr', { bits: 4, keepProbability: 0.6225 }, 10_000, {
      delta: 1e-6,
    });
    expect(named(account, 'vector-rr-theorem-1')).toMatchObject({ sound: false, verdict: 'certified' });
  });

  it('says nothing where e^epsilon0 leaves the doubles', () => {
    const bound = vectorResponseBound({ sampled: 32, keep: 0.99999 });
    const setting = {
      users: 100,
      epsilon0: 368,
      amplification: { variationRatio: null, blanket: [], homogeneous: [] },
    };
    const { epsilon, reason } = evaluateBound(bound, setting, { delta: 1e-6 });
    expect(epsilon).toBeNull();
    expect(reason).toContain('needs s log(r/(1-r)) <= 300');
  });
});

describe('local hashing', () => {
  const hashed = accountMechanism('local-hash', { epsilon0: 1, domain: 16, hashRange: 5 }, 10_000, {
    delta: 1e-6,
  });

  it('has the theorem at the printed beta and at its own', () => {
    const response = accountMechanism('grr', { epsilon0: 1, domain: 5 }, 10_000, { delta: 1e-6 });
    expect(named(hashed, 'variation-ratio').value).toBeCloseTo(0.031403, 6);
    // Table 2 has the beta of randomized response over the buckets.
    expect(named(hashed, 'variation-ratio').value).toBe(named(response, 'variation-ratio').value);
    expect(named(hashed, 'variation-ratio-exact-beta').value).toBeCloseTo(0.0278389, 6);
    expect(hashed.printedVariationRatio!.beta).toBeCloseTo((Math.E - 1) / (Math.E + 4), 12);
    expect(hashed.variationRatio!.beta).toBeCloseTo((0.8 * (Math.E - 1)) / (Math.E + 4), 12);
    expect(named(hashed, 'variation-ratio')).toMatchObject({ sound: false, verdict: 'certified' });
    expect(named(hashed, 'variation-ratio-exact-beta').sound).toBe(false);
  });

  it('into two buckets has a printed pair without leftover, which dominates', () => {
    const account = accountMechanism('local-hash', { epsilon0: 1, domain: 16, hashRange: 2 }, 10_000, {
      delta: 1e-6,
    });
    expect(named(account, 'variation-ratio')).toMatchObject({ sound: true, verdict: 'certified' });
    expect(named(account, 'variation-ratio-exact-beta').sound).toBe(false);
  });

  it('is the only kind that lists the second beta', () => {
    const response = accountMechanism('grr', { epsilon0: 1, domain: 5 }, 10_000, { delta: 1e-6 });
    expect(named(response, 'variation-ratio-exact-beta')).toBeUndefined();
  });
});

it.each(MECHANISMS)('the card of $name tells a printed beta where it is not its own', (card) => {
  const { amplification } = card.model(card.example);
  expect(card.ratios?.printedBeta !== undefined).toBe(amplification.printedVariationRatio !== undefined);
});

describe('verdicts at the parameters', () => {
  const target = fc.oneof(
    fc.constantFrom(1e-12, 1e-6, 1e-3, 0.5).map((delta) => ({ delta })),
    fc.constantFrom(0.01, 0.3, 1, 4).map((epsilon) => ({ epsilon })),
  );
  const mechanism = fc.constantFrom<[string, Record<string, number>]>(
    ['grr', { domain: 2 }],
    ['grr', { domain: 16 }],
    ['subset', { domain: 8, subsetSize: 2 }],
    ['local-hash', { domain: 8, hashRange: 3 }],
    ['laplace', {}],
  );

  it('follow from the value and the bracket, and no sound bound is refuted', () => {
    fc.assert(
      fc.property(
        mechanism,
        fc.constantFrom(0.2, 1, 4),
        fc.constantFrom(2, 50, 10_000),
        target,
        ([name, parameters], epsilon0, users, at) => {
          const { bounds, bracket } = accountMechanism(name, { epsilon0, ...parameters }, users, at);
          for (const { value, direction, verdict, sound, counterexample } of bounds) {
            expect(verdict === null).toBe(value === null || (direction === 'upper' && value === Infinity));
            if (value !== null && direction === 'upper' && verdict !== null) {
              expect(verdict === 'certified').toBe(value >= bracket.upper);
              expect(verdict === 'refuted').toBe(value < bracket.lower);
            }
            if (value !== null && direction === 'lower')
              expect(verdict === 'certified').toBe(value <= bracket.lower);
            if (sound === true) expect(verdict).not.toBe('refuted');
            expect(counterexample !== undefined).toBe(sound === false);
          }
        },
      ),
      {
        numRuns: 15,
        // Some of these accounts take many seconds: which are drawn is not left to chance.
        seed: 1773931077,
      },
    );
  });

  it('at the local budget are on the budget, which nothing exceeds', () => {
    const { bounds } = accountMechanism('grr', { epsilon0: 1, domain: 4 }, 2, { delta: 1e-9 });
    const capped = bounds.find(({ name }) => name === 'blanket-hoeffding-generic')!;
    expect(capped).toMatchObject({ value: 1, verdict: 'certified' });
  });

  it('of a raw pair are on a mechanism of which only its parameters are known', () => {
    const account = accountMechanism('variation-ratio', { p: 3, beta: 0.2, q: 3 }, 10_000, { delta: 1e-6 });
    expect(named(account, 'variation-ratio')).toMatchObject({ sound: false, verdict: 'unproven' });
    expect(named(account, 'variation-ratio-corrected')).toMatchObject({ sound: true, verdict: 'certified' });
  });

  it('of Poisson blankets refute what holds for coin flips', () => {
    const poisson = { rate: 0.5, domain: 16, blankets: 1 };
    const few = accountMechanism('poisson-blanket', poisson, 2, { delta: 0.4 });
    expect(named(few, 'variation-ratio-corrected')).toMatchObject({ sound: false, verdict: 'refuted' });
    expect(named(few, 'clone')).toMatchObject({ sound: 'unproven', verdict: null });
  });

  it('are in JSON beside the general one, null where a bound says nothing', () => {
    const account = accountMechanism('grr', { epsilon0: 4, domain: 4 }, 100, { delta: 1e-4 });
    const { bounds } = accountJson(account, { explain: false, cite: false }) as {
      bounds: { name: string; verdict: unknown; counterexample?: unknown; sound: unknown }[];
    };
    const of = (name: string) => bounds.find((bound) => bound.name === name)!;
    expect(of('variation-ratio')).toMatchObject({
      sound: false,
      verdict: 'refuted',
      counterexample: { command: expect.stringMatching(/^account grr/u), stated: 3.562, atLeast: 3.978 },
    });
    expect(of('erlingsson').verdict).toBeNull();
    expect(of('blanket')).toMatchObject({ sound: true, verdict: 'certified' });
    expect(accountText(account, { explain: false, cite: false })).toMatch(
      /variation-ratio +upper +3\.56\d+ +refuted +refuted here +Wang/u,
    );
  });

  it('are given to composition theorems', () => {
    const rounds = { mechanism: 'grr', parameters: { epsilon0: 1, domain: 16 }, users: 10_000, rounds: 16 };
    const composed = composeMechanisms([rounds], { delta: 1e-6 });
    expect(composed.bounds.map(({ name, sound, verdict }) => [name, sound, verdict])).toEqual([
      ['basic', true, 'certified'],
      ['advanced', true, 'certified'],
      ['renyi', 'unproven', 'certified'],
    ]);
    expect(composedJson(composed)).toMatchObject({
      baselines: { basic: composed.baselines!.basic },
      bounds: [
        { name: 'basic', epsilon: composed.baselines!.basic, sound: true, verdict: 'certified' },
        {},
        {},
      ],
    });
    const pair = {
      mechanism: 'variation-ratio',
      parameters: { p: 3, beta: 0.2, q: 3 },
      users: 100,
      rounds: 2,
    };
    expect(composeMechanisms([pair], { delta: 1e-6 }).bounds[0]).toMatchObject({
      sound: 'unproven',
      verdict: 'unproven',
    });
  });
});

describe('two proofs that contradict each other', () => {
  const upper = { name: 'from above', direction: 'upper', sound: true, value: 0.4 } as const;
  const lower = { name: 'a data set', direction: 'lower', sound: true, value: 0.5 } as const;

  it('are an error that names both', () => {
    expect(() => provedBracket([upper, lower], interval(0, 1), 'epsilon')).toThrow(
      'epsilon is proved to be at least 0.5 (a data set) and at most 0.4 (from above)',
    );
    expect(() => verdictOfBound(upper, interval(0.5, 0.6))).toThrow(
      'at least 0.5 (what is proved) and at most 0.4 (from above, sound in general)',
    );
    expect(() => verdictOfBound({ ...lower, value: 0.7 }, interval(0.5, 0.6))).toThrow(
      'at least 0.7 (a data set, sound in general) and at most 0.6 (what is proved)',
    );
  });

  it('are none where one of them is not sound', () => {
    expect(provedBracket([{ ...upper, sound: false }, lower], interval(0, 1))).toEqual({
      lower: 0.5,
      upper: 1,
    });
    expect(verdictOfBound({ ...upper, sound: 'unproven' }, interval(0.5, 0.6))).toBe('refuted');
  });
});
