/**
 * What is computed is the same in every engine: no function whose last bit the standard leaves open (core's
 * Real).
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './reader-pages.ts';

/** From local laws to accounts, and all that is drawn. */
const ROOMS = [
  'core/src/numeric',
  'core/src/random',
  'randomizers/src',
  'accounting/src',
  'protocols/src',
  'experiments/src/account',
  'experiments/src/federated',
  'experiments/src/personalized',
  'experiments/src/plan',
];

/** Draws and shares of runs alone, kept as they are so that a seed gives the numbers it gave. */
const KEPT: Readonly<Record<string, number>> = {
  'protocols/src/learning/sampled-bits.ts': 1,
  'randomizers/src/places/planar-laplace.ts': 2,
  'randomizers/src/vectors/spherical-cap.ts': 2,
};

/**
 * Powers of two and squares are exact or rounded correctly; log2 is asked for whole numbers of powers of two,
 * or for what is printed.
 */
const OPEN =
  /\bMath\.(?:a?(?:cos|sin|tan)h?|atan2|cbrt|exp|expm1|hypot|log|log10|log1p|pow)\b|(?<!(?<![\w.])2) \*\* (?!2\b)/gu;

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

it('takes elementary functions from Real', () => {
  const packages = join(ROOT, 'packages');
  const found = ROOMS.flatMap((room) => filesBelow(join(packages, room)))
    .filter((file) => !file.includes('/numeric/elementary/'))
    .flatMap((file) => {
      const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/gu, '');
      const count = [...code.matchAll(OPEN)].length;
      return count > 0 ? [[relative(packages, file), count] as const] : [];
    });
  expect(Object.fromEntries(found)).toEqual(KEPT);
});
