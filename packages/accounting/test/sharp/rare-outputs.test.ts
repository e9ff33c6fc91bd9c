/** Gains that leave no exponential moment are lowered, and the rest of the victim's mass is charged. */
import * as fc from 'fast-check';
import type { OtherInput, TypedPair } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import { inputBound } from '../../src/sharp/input-bound.ts';
import { hidingUsers, preparedInputs } from '../../src/sharp/pair-inputs.ts';
import { usualOutputs } from '../../src/sharp/rare-outputs.ts';
import { uniform } from '../../../core/test/uniform.ts';

describe('outputs that are charged', () => {
  const victim0 = Float64Array.of(0.5, 0.499999, 1e-6);
  const victim1 = Float64Array.of(0.4, 0.6 - 1e-13, 1e-13);
  const input = (own: Float64Array): OtherInput => ({
    label: 'an input',
    victim0,
    victim1,
    own,
    blanket: Float64Array.of(0.4, 0.45, 1e-13),
  });
  const inputs = [
    input(Float64Array.of(0.45, 0.55 - 1e-13, 1e-13)),
    input(Float64Array.of(0.5, 0.5 - 1e-9, 1e-9)),
  ];

  it('are those with gains beyond all moments, for all inputs of the pair alike', () => {
    const { inputs: usual, charged } = usualOutputs(inputs, 1.2, 10_000, 1e-4);
    expect(charged).toBeGreaterThan(0.999e-6);
    expect(charged).toBeLessThan(1e-6);
    for (const one of usual) {
      expect(one.victim0).toBe(usual[0]!.victim0);
      expect(one.victim1).toBe(victim1);
      expect([one.victim0[0], one.victim0[1]]).toEqual([0.5, 0.499999]);
      expect(one.victim0[2]! + charged).toBeCloseTo(1e-6, 17);
      expect(one.own[2]).toBeGreaterThan(0);
    }
    const [prepared] = preparedInputs(
      { label: 'a pair', inputs, symmetric: true },
      10_000,
      Math.log(1.2),
      1e-4,
    )!;
    const bound = inputBound(prepared!.prepared, 10_000, { buffer: 101, kappa: 1, theta: 0.01 }, 1e-4);
    expect(bound).toBeGreaterThan(1e-6);
    expect(bound).toBeLessThan(1);
  });

  it('are charged only where that is less than what keeping them adds', () => {
    // The exponents are below 1, a few, and far beyond the logarithm of the target.
    const chargedAt = (mass: number, own: number): number => {
      const law = Float64Array.of(0.5, 0.5 - own, own);
      const one = {
        label: 'one',
        victim0: Float64Array.of(0.52, 0.48 - mass, mass),
        victim1: Float64Array.of(0.48, 0.52 - mass / 10, mass / 10),
        own: law,
        blanket: law,
      };
      return usualOutputs([one], 1.02, 10_000, 1e-6).charged;
    };
    expect(chargedAt(1e-2, 1e-2)).toBe(0);
    expect(chargedAt(1e-5, 5e-8)).toBeGreaterThan(0);
    expect(chargedAt(1e-5, 5e-8)).toBeLessThan(0.1 * 1e-5);
    expect(chargedAt(1e-8, 1e-13)).toBeLessThan(1e-8 * (1 - 0.102));
    expect(chargedAt(1e-8, 1e-13)).toBeGreaterThan(0.99 * 1e-8 * (1 - 0.102));
  });

  it('are none of no target', () => {
    expect(usualOutputs(inputs, 1.2, 10_000, 0).charged).toBe(0);
  });

  it('are none where the inputs do not share the arrays of the victim', () => {
    const other = { ...inputs[1]!, victim0: victim0.slice() };
    expect(usualOutputs([inputs[0]!, other], 1.2, 10_000, 1e-4).charged).toBe(0);
  });

  it('and uncovered ones are added to what is missed', () => {
    const pair: TypedPair = { label: 'a pair', inputs, symmetric: true, uncovered: 1e-9 };
    expect(hidingUsers(pair, 100, 1e-6)).toEqual({ users: 100, missed: 1e-9 });
  });
});

/** The positive part of the victim's signed law among all others' messages, by what all of them send. */
function positivePart(gains: readonly number[], own: Float64Array, others: number): number {
  const outputs = own.length;
  const sums = new Map<string, number>();
  const visit = (left: number, counts: readonly number[], probability: number): void => {
    if (left > 0) {
      for (let y = 0; y < outputs; y++)
        visit(
          left - 1,
          counts.map((count, z) => count + (z === y ? 1 : 0)),
          probability * own[y]!,
        );
      return;
    }
    gains.forEach((gain, y) => {
      const all = counts.map((count, z) => count + (z === y ? 1 : 0)).join();
      sums.set(all, (sums.get(all) ?? 0) + probability * gain);
    });
  };
  visit(
    others,
    Array.from({ length: outputs }, () => 0),
    1,
  );
  return [...sums.values()].reduce((sum, value) => sum + Math.max(0, value), 0);
}

const LAW = fc.array(uniform(0.001, 1), { minLength: 4, maxLength: 4 }).map((masses) => {
  const all = masses.reduce((sum, mass) => sum + mass, 0);
  return masses.map((mass) => mass / all);
});

describe('gains that are lowered', () => {
  it('leave no more of the positive part than what is charged, and none above one multiple of the least law', () => {
    fc.assert(
      fc.property(
        LAW,
        LAW,
        LAW,
        LAW,
        uniform(1e-9, 1e-3),
        uniform(-9, -2),
        uniform(0, 1.5),
        (first, second, third, fourth, rare, logTarget, epsilon) => {
          // The last output is rare for the others.
          const rarely = (law: readonly number[], share: number): Float64Array =>
            Float64Array.from(law, (mass, y) =>
              y === 3 ? share * mass : mass + (law[3]! * (1 - share)) / 3,
            );
          const victim0 = rarely(first, 1e-2);
          const victim1 = rarely(second, rare);
          const laws = [rarely(third, rare), rarely(fourth, rare)];
          const inputs = laws.map((own): OtherInput => ({ label: '', victim0, victim1, own, blanket: own }));
          const expEpsilon = Math.exp(epsilon);
          const { inputs: usual, charged } = usualOutputs(inputs, expEpsilon, 1000, 10 ** logTarget);
          const lowered = usual[0]!.victim0;
          const gains = (masses: Float64Array): number[] =>
            [...masses].map((mass, y) => mass - expEpsilon * victim1[y]!);
          let total = 0;
          victim0.forEach((mass, y) => {
            expect(lowered[y]).toBeLessThanOrEqual(mass);
            total += mass - lowered[y]!;
          });
          expect(charged).toBeGreaterThanOrEqual(total);
          expect(charged).toBeLessThanOrEqual(total * (1 + 1e-11));
          const ratios = gains(lowered).map((gain, y) => gain / Math.min(...laws.map((own) => own[y]!)));
          const caps = ratios.filter((_, y) => lowered[y]! < victim0[y]!);
          if (caps.length > 0) expect(Math.max(...ratios)).toBeLessThan(Math.min(...caps) * (1 + 1e-6));
          for (const own of laws) {
            const [exact, left] = [
              positivePart(gains(victim0), own, 4),
              positivePart(gains(lowered), own, 4),
            ];
            expect(left + charged).toBeGreaterThanOrEqual(exact * (1 - 1e-13));
            expect(left).toBeLessThanOrEqual(exact * (1 + 1e-13) + 1e-17);
          }
        },
      ),
    );
  });
});
