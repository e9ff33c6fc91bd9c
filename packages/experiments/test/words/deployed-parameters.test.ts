import { expect, it } from 'vitest';
import { deployedParametersText } from '../../src/words/deployed-parameters.ts';

it('parameters are rounded to the side on which the target is met', () => {
  expect(deployedParametersText({ epsilon0: 4.44991, noiseMean: 3.00001, epsilon: 1, oracle: 'grr' })).toBe(
    'epsilon0 4.449, noiseMean 3.001',
  );
});

it('parameters of rounds are told from the smallest to the largest', () => {
  const parameters = { roundEpsilon0: [4.44991, 4.1], roundBlankets: [31_234, 31_236], roundDispersion: 1 };
  expect(deployedParametersText(parameters)).toBe(
    'roundEpsilon0 4.1 to 4.449, roundBlankets 31234 to 31236, roundDispersion 1',
  );
});
