import { localHashing, symmetricUnaryEncoding } from '@shuffle-dp/randomizers';
import { expect, it } from 'vitest';
import { boundAt, hidingUsers, preparedInputs } from '../../../src/sharp/pair-inputs.ts';
import { sharpestEpsilon } from '../../../src/sharp/sharpest.ts';

/** Parameters of a grid by hand with which the bound meets delta. */
const CASES = [
  {
    name: 'binary-rr, 5 users',
    randomizer: symmetricUnaryEncoding({ domain: 8, epsilon0: 2 }),
    users: 5,
    epsilon: 1.88,
    parameters: { buffer: 0, kappa: 2.5, theta: 0.6 },
  },
  {
    name: 'binary-rr, 12 users',
    randomizer: symmetricUnaryEncoding({ domain: 8, epsilon0: 2 }),
    users: 12,
    epsilon: 1.49,
    parameters: { buffer: 5, kappa: 2.5, theta: 0.28 },
  },
  {
    name: 'local-hash, 5 users',
    randomizer: localHashing({ domain: 8, epsilon0: 1 }),
    users: 5,
    epsilon: 0.6787,
    parameters: { buffer: 0, kappa: 1.6, theta: 1 },
  },
] as const;

it.each(CASES)('$name: is no worse than with parameters of a grid', (one) => {
  const { randomizer, users, epsilon, parameters } = one;
  const delta = 0.01;
  const profile = randomizer.amplification();
  const [pair] = profile.typed!.pairsNear?.(epsilon) ?? profile.typed!.pairs;
  const inputs = preparedInputs(pair!, users, epsilon, delta)!;
  const { value } = boundAt(inputs, hidingUsers(pair!, users, delta), parameters, delta);
  expect(value).toBeLessThan(delta);
  expect(sharpestEpsilon(profile, users, delta, { epsilon0: randomizer.epsilon0 }).upper).toBeLessThan(
    epsilon,
  );
});
