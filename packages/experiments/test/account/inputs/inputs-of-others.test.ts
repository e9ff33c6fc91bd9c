/**
 * What the sharp bound is told of the others: each of their inputs has its mass in atoms, or says what is
 * hidden.
 */
import { describe, expect, it } from 'vitest';
import { mechanismModel } from '../../../src/account/mechanisms.ts';
import { MECHANISM_ORACLES } from '../../laws/oracle/index.ts';

/** Planar noise counts what it cuts twice. */
const CUT = 2e-7;
/** Victims' masses of a grid are rounded, those of the first input up and of the second down. */
const GRID = 0.005;

const sum = (masses: Float64Array): number => masses.reduce((total, mass) => total + mass, 0);

describe.each(Object.entries(MECHANISM_ORACLES))('%s', (mechanism, oracle) => {
  const models = [0.1, 3].flatMap((budget) =>
    oracle.settings(budget).map((parameters) => mechanismModel(mechanism, parameters)),
  );
  const typed = models.flatMap(({ amplification }) => amplification?.typed ?? []);

  it.runIf(typed.length > 0)('has all of the mass of every input of the others', () => {
    const inputs = typed.flatMap(({ pairs }) => pairs.flatMap((pair) => pair.inputs));
    const wrong = inputs.filter(({ own, victim0, victim1, hidden = 0 }) => {
      const [sent, first, second] = [sum(own) + hidden, sum(victim0), sum(victim1)];
      return !(
        sent > 1 - 1e-12 &&
        sent < 1 + CUT &&
        first > 1 - 1e-9 &&
        second > 1 - GRID &&
        Math.max(first, second) < 1 + GRID
      );
    });
    expect(wrong.map(({ label }) => label)).toEqual([]);
  });
});
