import { expect, test } from 'vitest';
import {
  RandomStream,
  convolvedPowers,
  complexTransformOf,
  forwardTransform,
  inverseTransform,
  minimizeUnimodal,
  multiplySpectrum,
  raiseSpectrum,
  realPartOf,
  transformOf,
  transformSize,
} from '@shuffle-dp/core';

const random = (length: number, seed: string): Float64Array => {
  const stream = RandomStream.fromSeed(seed);
  return Float64Array.from({ length }, () => stream.next());
};

test.each([2, 4, 8, 16])('transforms of %d values are those of the definition', (size) => {
  const values = random(size, 'definition');
  const spectrum = forwardTransform(values, size);
  expect(spectrum).toHaveLength(size + 2);
  for (let k = 0; k <= size / 2; k++) {
    let [re, im] = [0, 0];
    values.forEach((value, j) => {
      re += value * Math.cos((-2 * Math.PI * j * k) / size);
      im += value * Math.sin((-2 * Math.PI * j * k) / size);
    });
    expect(spectrum[2 * k]).toBeCloseTo(re, 12);
    expect(spectrum[2 * k + 1]).toBeCloseTo(im, 12);
  }
  const back = inverseTransform(spectrum);
  expect(back).toHaveLength(size);
  values.forEach((value, j) => expect(back[j]).toBeCloseTo(value, 14));
});

test.each([2, 8, 16])('the real parts of %d complex values have a spectrum of their own', (size) => {
  const values = random(2 * size, 'complex');
  const back = inverseTransform(realPartOf(complexTransformOf(size, (own) => own.set(values))));
  expect(back).toHaveLength(size);
  back.forEach((value, j) => expect(value).toBeCloseTo(values[2 * j]!, 14));
});

test.each([
  [1, 1],
  [3, 5],
  [17, 40],
])('the product of spectra is that of a convolution, lengths %d and %d', (m, n) => {
  const [a, b] = [random(m, 'a'), random(n, 'b')];
  const size = transformSize(m + n - 1);
  const spectrum = forwardTransform(a, size);
  multiplySpectrum(spectrum, forwardTransform(b, size));
  inverseTransform(spectrum).forEach((value, k) => {
    let expected = 0;
    for (let i = 0; i < m; i++) if (k - i >= 0 && k - i < n) expected += a[i]! * b[k - i]!;
    expect(value).toBeCloseTo(expected, 12);
  });
});

test('a power of a spectrum is a repeated circular convolution', () => {
  const coin = Float64Array.from([0.5, 0.5, 0, 0, 0, 0, 0, 0]);
  const spectrum = forwardTransform(coin, 8);
  raiseSpectrum(spectrum, 5);
  const law = inverseTransform(spectrum);
  [1, 5, 10, 10, 5, 1, 0, 0].forEach((weight, k) => expect(law[k]).toBeCloseTo(weight / 32, 15));
});

test.each([
  ['of few users', 3, 5],
  ['of many, whose transform is narrow', 20_000, 9_000],
])('the powers %s are convolved', (_, first, second) => {
  const coin = Float64Array.of(0.7, 0.3);
  const dice = Float64Array.of(0.2, 0.5, 0.1, 0.2);
  const size = 32_768;
  const both = convolvedPowers(
    [
      { values: coin, power: first },
      { values: dice, power: second },
    ],
    size,
  );
  const expected = forwardTransform(coin, size);
  raiseSpectrum(expected, first);
  const other = forwardTransform(dice, size);
  raiseSpectrum(other, second);
  multiplySpectrum(expected, other);
  const law = inverseTransform(expected);
  inverseTransform(both).forEach((mass, k) => expect(mass).toBeCloseTo(law[k]!, 14));
});

test('a high power has the bits of repeated products, though most of its entries are 0', () => {
  const places = 4096;
  const dice = new Float64Array(places);
  dice.set([0.3, 0.1, 0.25, 0.05, 0.3]);
  const raised = forwardTransform(dice, places);
  const expected = raised.slice();
  // The lowest digit of the power is the base itself.
  const square = raised.slice();
  const times = (target: Float64Array, factor: Float64Array): void =>
    multiplySpectrum(target, factor.slice());
  for (const bit of '1001110001001'.split('').toReversed().slice(1)) {
    times(square, square);
    if (bit === '1') times(expected, square);
  }
  raiseSpectrum(raised, 0b1001110001001);
  // Whatever the sign of a 0.
  expect(raised.map((value) => value + 0)).toEqual(expected.map((value) => value + 0));
  expect(raised.filter((value) => value === 0).length).toBeGreaterThan(places / 2);
});

test('the minimum of a valley', () => {
  expect(minimizeUnimodal((x) => (x - 1.3) ** 2, -4, 9, 1e-6).x).toBeCloseTo(1.3, 5);
});

test('values that are put over zeros do not meet those of the transform before', () => {
  transformOf(8, (values) => values.fill(7));
  expect(transformOf(8, (values) => values.set([1, 2]))).toEqual(forwardTransform(Float64Array.of(1, 2), 8));
  complexTransformOf(4, (values) => values.fill(7));
  expect([...complexTransformOf(4, (values) => values.set([1]))]).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
});
