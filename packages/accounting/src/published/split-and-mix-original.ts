/**
 * How many shares the authors of split-and-mix summation ask for (B. Balle, J. Bell, A. Gascón, K. Nissim,
 * "Private Summation in the Multi-Message Shuffle Model", CCS 2020; B. Ghazi, R. Pagh, A. Velingker, 2019,
 * with other constants): with
 *
 *     m = ceil((2 sigma + log2 q) / (log2 n - log2 e) + 2),   n >= 19,
 *
 * what is seen is within 2^-sigma of uniform shares of the same sum. It is not re-derived here.
 * `shareDistance` needs fewer shares and proves these numbers for a sigma of 80 and, below 10,000 users, of
 * 10 on; for many users with few shares each it tells nothing.
 */
import { OutOfRegimeError, requireInteger, requirePositive } from '@shuffle-dp/core';

/**
 * The shares a user must send for a statistical distance of 2^-sigma, as the authors of split and mix ask.
 *
 * @throws ParameterError; OutOfRegimeError for fewer than 19 users
 */
export function splitAndMixShares(users: number, modulus: number, sigma: number): number {
  requireInteger('users', users, 1);
  requireInteger('modulus', modulus, 2);
  requirePositive('sigma', sigma);
  if (users < 19)
    throw new OutOfRegimeError(
      'The analysis of split and mix',
      'n >= 19',
      `n = ${users}`,
      'use shareDistance',
    );
  return Math.ceil((2 * sigma + Math.log2(modulus)) / (Math.log2(users) - Math.LOG2E) + 2);
}
