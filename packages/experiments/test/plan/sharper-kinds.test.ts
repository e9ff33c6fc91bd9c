/**
 * The cards of protocols say which messages may have a sharper bound than the blanket; the mechanisms' models
 * have it.
 */
import { expect, it } from 'vitest';
import { mayBeSharper } from '@shuffle-dp/protocols';
import { mechanismModel } from '../../src/account/mechanisms.ts';

it.each([
  ['wheel', { epsilon0: 1, domain: 8, items: 2 }],
  ['collision', { epsilon0: 1, domain: 8, items: 2 }],
  ['sampled-rappor', { epsilon0: 1, domain: 8, items: 2 }],
  ['priv-unit', { epsilon0: 1, dimensions: 3 }],
])('%s', (kind, parameters) => {
  expect(mayBeSharper(kind)).toBe(mechanismModel(kind, parameters).amplification.typed !== undefined);
});

it.each([
  ['frequency', 'binary-rr', { epsilon0: 1, domain: 8 }],
  ['mean', 'laplace', { epsilon0: 1 }],
  ['subexp-shuffled', 'subset-exponential', { epsilon0: 1, domain: 8, items: 2 }],
])('%s, by its randomizer %s', (kind, mechanism, parameters) => {
  expect(mayBeSharper(kind)).toBe(true);
  expect(mechanismModel(mechanism, parameters).amplification.typed).toBeDefined();
});
