import { describe, expect, it } from 'vitest';
import { binomialPmf } from '@shuffle-dp/core';
import { binomialBlocks } from '../../src/sharp/blocks.ts';
import { blockTerm, inputBound } from '../../src/sharp/input-bound.ts';
import { prepareInput } from '../../src/sharp/prepared-input.ts';
import { COARSE, MinimumMoments } from '../../src/sharp/gains/minimum-moments.ts';

/** Theorem 3 of docs/sharp-bound.md as it stands, for two outputs: every buffer and both sums listed. */
function listedBound(
  own: number,
  mass: number,
  users: number,
  buffer: number,
  kappa: number,
  theta: number,
): number {
  const rest = users - 1 - buffer;
  const half = rest / 2;
  const gain = (first: number, second: number, law: number): number => (first - GROWTH * second) / law;
  const gains = [gain(0.7, 0.3, own), gain(0.3, 0.7, 1 - own)] as const;
  const smaller = (t: number): number => {
    let sum = 0;
    for (let i = 0; i <= half; i++) {
      for (let j = 0; j <= half; j++) {
        const sums = [i, j].map((count) => count * gains[0] + (half - count) * gains[1]);
        sum += binomialPmf(i, half, own) * binomialPmf(j, half, own) * Math.exp(2 * t * Math.min(...sums));
      }
    }
    return sum;
  };
  let total = 0;
  for (let shown = 0; shown <= buffer; shown++) {
    const size = shown + 1;
    let expectation = 0;
    for (let first = 0; first <= size; first++) {
      const weight = first * gain(0.7, 0.3, 0.5) + (size - first) * gain(0.3, 0.7, 0.5);
      const ratio = (first * 2 * own + (size - first) * 2 * (1 - own)) / size;
      expectation +=
        binomialPmf(first, size, 0.5) * Math.exp(theta * kappa * weight) * smaller(theta * ratio);
    }
    total += (binomialPmf(shown, buffer, mass) * expectation) / ((rest + kappa * size) * 2 * theta);
  }
  return total;
}

const GROWTH = 1.2;

describe('the bound of one input', () => {
  it.each([
    { own: 0.7, users: 27, buffer: 6, kappa: 0.8, theta: 0.3 },
    { own: 0.3, users: 27, buffer: 6, kappa: 2, theta: 0.2 },
    { own: 0.5, users: 44, buffer: 3, kappa: 1, theta: 0.25 },
    { own: 0.7, users: 44, buffer: 13, kappa: 0.5, theta: 0.2 },
  ])('is Theorem 3, others in the first output with $own', ({ own, users, buffer, kappa, theta }) => {
    const input = {
      label: 'an input',
      victim0: Float64Array.of(0.7, 0.3),
      victim1: Float64Array.of(0.3, 0.7),
      own: Float64Array.of(own, 1 - own),
      blanket: Float64Array.of(0.3, 0.3),
    };
    const prepared = prepareInput(input, GROWTH, users)!;
    const exact = listedBound(own, 0.6, users, buffer, kappa, theta);
    const bound = inputBound(prepared, users, { buffer, kappa, theta }, exact);
    expect(bound / Math.min(exact, prepared.excess)).toBeGreaterThan(0.995);
    expect(bound / exact).toBeLessThan(1.01);
  });
});

it('is not cut block by block, as users of two inputs share the blocks', () => {
  const pair = { victim0: Float64Array.of(0.7, 0.2, 0.1), victim1: Float64Array.of(0.1, 0.2, 0.7) };
  const blanket = Float64Array.of(0.05, 0.2, 0.05);
  const [users, expEpsilon, target] = [30, Math.exp(0.3), 0.05];
  const parameters = { buffer: 17, kappa: 1, theta: 0.3 };
  // One input needs many messages in the buffer, the other hides the victim about as well among few.
  const inputs = [
    [0.2, 0.2, 0.6],
    [0.45, 0.2, 0.35],
  ].map((own) =>
    prepareInput({ label: '', ...pair, own: Float64Array.from(own), blanket }, expEpsilon, users)!,
  );
  const { mass, excess } = inputs[0]!;
  const { blocks } = binomialBlocks(parameters.buffer, mass, 1e-5);
  const rest = users - 1 - parameters.buffer;
  const values = inputs.map((input) => {
    const moments = new MinimumMoments(input.gains, rest, parameters.theta, COARSE);
    return blocks.map((block) => {
      const { log, cut } = blockTerm(input, moments, parameters, rest, block, target);
      return Math.exp(log) + cut;
    });
  });
  const sum = (of: (block: number) => number): number =>
    blocks.reduce((total, { probability }, b) => total + probability * Math.min(excess, of(b)), 0);
  // Theorem 3 for data of which a twentieth holds the first input: in each block the average, or all of the
  // excess.
  const mixed = sum((b) => 0.05 * values[0]![b]! + 0.95 * values[1]![b]!);
  const cutAlone = values.map((own) => sum((b) => own[b]!));
  expect(mixed).toBeGreaterThan(1.03 * Math.max(...cutAlone));
  const bounds = inputs.map((input) => inputBound(input, users, parameters, target, 'coarse'));
  expect(Math.max(...bounds)).toBeGreaterThanOrEqual(mixed);
});

it('counts buffers of fewer messages than any block has as if they hid nothing', () => {
  const input = {
    label: '',
    victim0: Float64Array.of(0.6, 0.4),
    victim1: Float64Array.of(0.4, 0.6),
    own: Float64Array.of(0.5, 0.5),
    blanket: Float64Array.of(0.4, 0.4),
  };
  const [users, expEpsilon] = [1000, 1.2];
  const parameters = { buffer: 59, kappa: 1, theta: 0.1 };
  const prepared = prepareInput(input, expEpsilon, users)!;
  const excess = 0.6 - expEpsilon * 0.4;
  // With so large a target a hundredth of the buffers may be missed.
  const negligible = 0.01;
  const [first] = binomialBlocks(parameters.buffer, 0.8, negligible).blocks;
  let missed = 0;
  for (let shown = 0; shown < first!.shown; shown++) missed += binomialPmf(shown, parameters.buffer, 0.8);
  expect(missed).toBeGreaterThan(0.002);
  const bound = inputBound(prepared, users, parameters, 1e5);
  expect(bound).toBeGreaterThanOrEqual(missed * excess);
  // Beside it the blocks add next to nothing.
  expect(bound).toBeLessThan(1.5 * missed * excess);
});
