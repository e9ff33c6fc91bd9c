/** Random numbers and exact samplers, in nanoseconds a draw. */
import {
  RandomStream,
  aliasTable,
  sampleBinomial,
  sampleGaussian,
  sampleHypergeometric,
  sampleLaplace,
  samplePoisson,
} from '@shuffle-dp/core';
import { fastest, type BenchmarkRow } from './row.ts';

const DRAWS = 200_000;

/** Sums coins one by one: what a binomial draw costs without an algorithm. */
function plainBinomial(n: number, p: number, stream: RandomStream): number {
  let successes = 0;
  for (let i = 0; i < n; i++) if (stream.next() < p) successes++;
  return successes;
}

export function rows(): BenchmarkRow[] {
  const stream = RandomStream.fromSeed('benchmark samplers');
  const time = (draws: number, draw: () => number): number => {
    let sink = 0;
    const seconds = fastest(() => {
      for (let i = 0; i < draws; i++) sink += draw();
    }, 3);
    if (Number.isNaN(sink)) throw new Error('a sampler returned no number');
    return (seconds / draws) * 1e9;
  };
  const row = (name: string, value: number, baseline?: { name: string; value: number }): BenchmarkRow => ({
    group: 'samplers',
    name,
    value,
    unit: 'ns a draw',
    ...(baseline ? { baseline, ratio: baseline.value / value } : {}),
  });
  const words = new Uint32Array(1 << 16);
  const doubles = new Float64Array(1 << 16);
  const table = aliasTable(Float64Array.from({ length: 17 }, (_, i) => 1 / (i + 1)));
  const coins = { name: 'coin by coin', value: time(2000, () => plainBinomial(1000, 0.3, stream)) };
  return [
    row('32-bit words, filling an array', (fastest(() => stream.fillUint32(words)) / words.length) * 1e9),
    row('doubles, filling an array', (fastest(() => stream.fill(doubles)) / doubles.length) * 1e9, {
      name: 'Math.random',
      value: time(DRAWS, () => Math.random()),
    }),
    row(
      'a new stream from a path',
      time(5000, () => stream.fork('trial').state[0]!),
    ),
    row(
      'bounded integers',
      time(DRAWS, () => stream.integerBelow(17)),
    ),
    row(
      'binomial, n = 1000, p = 0.3',
      time(DRAWS, () => sampleBinomial(1000, 0.3, stream)),
      coins,
    ),
    row(
      'binomial, n = 1e12, p = 0.3',
      time(DRAWS, () => sampleBinomial(1e12, 0.3, stream)),
    ),
    row(
      'binomial, n = 1e12, p = 1e-12',
      time(DRAWS, () => sampleBinomial(1e12, 1e-12, stream)),
    ),
    row(
      'Poisson, mean 0.3',
      time(DRAWS, () => samplePoisson(0.3, stream)),
    ),
    row(
      'Poisson, mean 1000',
      time(DRAWS, () => samplePoisson(1000, stream)),
    ),
    row(
      'hypergeometric, sd 15',
      time(20_000, () => sampleHypergeometric(1000, 9000, 3000, stream)),
    ),
    row(
      'categorical, 17 weights',
      time(DRAWS, () => table.sample(stream)),
    ),
    row(
      'Gaussian',
      time(DRAWS, () => sampleGaussian(stream)),
    ),
    row(
      'Laplace',
      time(DRAWS, () => sampleLaplace(1, stream)),
    ),
  ];
}
