/** Where a bound gave up, accounts say so, and only there. */
import { expect, it } from 'vitest';
import { accountMechanism } from '../../src/account/account.ts';
import { certifiedBounds, fastCertifiedBounds } from '../../src/account/certified-bounds.ts';
import { accountNotes } from '../../src/account/coarse-notes.ts';
import { mechanismModel } from '../../src/account/mechanisms.ts';
import { composeMechanisms } from '../../src/account/compose-account.ts';
import { personalizedAccount } from '../../src/personalized/personalized-account.ts';

const TARGET = { delta: 1e-6 };

it('an account names the bound that stands where the sharp one says nothing', () => {
  const given = { bits: 8, keepProbability: 0.75 };
  const { bounds, bracket, coarse } = accountMechanism('vector-rr', given, 10_000, TARGET);
  expect(coarse).toHaveLength(1);
  const standing = bounds.find(({ name }) => name === 'blanket');
  expect(standing?.value).toBe(bracket.upper);
  expect(coarse![0]).toContain('`blanket`');
});

it('of a sharp bound that was not found an account says no more than that', () => {
  const given = { bits: 3, keepProbability: 0.7310585786300049 };
  const { bracket, coarse } = accountMechanism('vector-rr', given, 12, TARGET);
  // The search got stuck: at this epsilon the bound proves a smaller delta.
  const epsilon = 2.9958794650811003;
  expect(epsilon).toBeLessThan(bracket.upper * 0.999);
  const there = accountMechanism('vector-rr', given, 12, { epsilon });
  const { value } = there.bounds.find(({ name }) => name === 'sharp')!;
  expect(value).toBeLessThan(TARGET.delta);
  expect(coarse).toEqual([
    'the search of the sharp bound found nothing smaller: the upper end is that of `popular-input`',
  ]);
});

it.each([
  ['a sharp bound', 'vector-rr', { bits: 8, keepProbability: 0.6 }],
  ['ends that meet', 'grr', { epsilon0: 1, domain: 4 }],
  ['no types', 'general', { epsilon0: 3 }],
] as const)('an account says nothing of %s', (_, mechanism, given) => {
  expect(accountMechanism(mechanism, given, 10_000, TARGET)).not.toHaveProperty('coarse');
});

it('an account says what a search that stopped at its limit of steps has left open', () => {
  const model = mechanismModel('oue', { epsilon0: 1, domain: 16 });
  const sharp = certifiedBounds(model, 10_000, TARGET, fastCertifiedBounds(model, 10_000, TARGET)).find(
    ({ name }) => name === 'sharp',
  )!;
  const bracket = { lower: sharp.value! / 1.02, upper: sharp.value! };
  expect(accountNotes(model, [sharp], bracket)).toEqual([]);
  expect(accountNotes(model, [{ ...sharp, open: 0.013 }], bracket)).toEqual([
    expect.stringContaining('up to 1.3 % too large'),
  ]);
  expect(accountNotes(model, [{ ...sharp, open: 1e-5 }], bracket)).toEqual([]);
  // Another bound has the end.
  expect(
    accountNotes(model, [{ ...sharp, open: 0.013 }], { ...bracket, upper: sharp.value! * 0.999 }),
  ).toEqual([]);
});

it('a composition says where the sharp bound is looked at in few points', { tags: 'long' }, () => {
  const rounds = { users: 100_000, rounds: 16 };
  const told = (mechanism: string, epsilon0: number): readonly string[] | undefined =>
    composeMechanisms([{ mechanism, parameters: { epsilon0 }, ...rounds }], TARGET).coarse;
  expect(told('laplace', 5)).toContainEqual(expect.stringContaining('the sharp bound takes long'));
  expect(told('duchi', 1)).toBeUndefined();
});

it('users whom nothing hides are counted', () => {
  const common = {
    mechanism: 'laplace',
    delta: 1e-5,
    localDelta: 0,
    clip: 1,
    domain: 16,
    levels: 20,
  } as const;
  const few = personalizedAccount({ ...common, budgets: Float64Array.of(0.5, 2, 2, 2, 2) });
  expect(few.groups[0]!.epsilon.upper).toBe(0.5);
  expect(few.coarse).toEqual([expect.stringContaining('1 of 2 levels')]);
  const budgets = new Float64Array(1000).fill(1);
  expect(personalizedAccount({ ...common, budgets }).coarse).toEqual([
    'all users apply one budget: an account of laplace at epsilon0 1 may have a smaller upper end',
  ]);
  expect(personalizedAccount({ ...common, budgets: budgets.fill(1.5, 500) })).not.toHaveProperty('coarse');
});
