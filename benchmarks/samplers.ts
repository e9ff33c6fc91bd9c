/** Random numbers and exact samplers, in nanoseconds a draw, beside what one first writes by hand. */
import { createRequire } from 'node:module';
import {
  RandomStream,
  aliasTable,
  fillGaussian,
  fillLaplace,
  sampleBinomial,
  sampleGaussian,
  sampleHypergeometric,
  sampleLaplace,
  sampleMultinomial,
  sampleNegativeBinomial,
  samplePoisson,
  sampleSubset,
} from '@shuffle-dp/core';
import { fillIntegersBelow } from '@shuffle-dp/randomizers';
import {
  binomialFromMode,
  binomialFromZero,
  boxMuller,
  coinByCoin,
  hypergeometricOneByOne,
  inverseLaplace,
  linearScan,
  negativeBinomialByCoins,
  poissonByArrivals,
  poissonByProduct,
  shuffledSubset,
} from './plain/samplers.ts';
import { fastest, once, timeRow, type BenchmarkRow } from './row.ts';

const DRAWS = 8192;

type Fill = (out: Float64Array) => void;

/** In a loop of its own that fills an array, as a program would use it. */
function secondsADraw(fill: Fill, draws: number): number {
  const out = new Float64Array(draws);
  const seconds = fastest(() => fill(out), 3) / draws;
  if (out.some(Number.isNaN)) throw new Error('a sampler returned no number');
  return seconds;
}

interface Plain {
  readonly name: string;
  readonly fill: Fill;
  /** Fewer than of ours where a draw takes long. */
  readonly draws?: number;
}

function row(name: string, fill: Fill, plain: Plain, draws = DRAWS): BenchmarkRow {
  return timeRow('samplers', name, 'ns a draw', secondsADraw(fill, draws), {
    name: plain.name,
    seconds: secondsADraw(plain.fill, plain.draws ?? draws),
  });
}

export function rows(): BenchmarkRow[] {
  const stream = RandomStream.fromSeed('benchmark samplers');
  return [...uniformRows(stream), ...discreteRows(stream), ...continuousRows(stream)];
}

function uniformRows(stream: RandomStream): BenchmarkRow[] {
  const seedrandom = createRequire(import.meta.resolve('@shuffle-dp/core'))('seedrandom') as (
    seed: string,
  ) => () => number;
  const words = new Uint32Array(DRAWS);
  return [
    row('32-bit words, filling an array', () => stream.fillUint32(words), {
      name: 'Math.random',
      fill: () => {
        for (let i = 0; i < words.length; i++) words[i] = Math.random() * 2 ** 32;
      },
    }),
    row('doubles, filling an array', (out) => stream.fill(out), {
      name: 'Math.random',
      fill: (out) => {
        for (let i = 0; i < out.length; i++) out[i] = Math.random();
      },
    }),
    row(
      'integers below 17',
      (out) => {
        for (let i = 0; i < out.length; i++) out[i] = stream.integerBelow(17);
      },
      {
        name: 'Math.floor(Math.random() * 17)',
        fill: (out) => {
          for (let i = 0; i < out.length; i++) out[i] = Math.floor(Math.random() * 17);
        },
      },
    ),
    row('integers below 17, filling an array', () => fillIntegersBelow(17, words, 0, DRAWS, stream), {
      name: 'Math.floor(Math.random() * 17)',
      fill: () => {
        for (let i = 0; i < words.length; i++) words[i] = Math.floor(Math.random() * 17);
      },
    }),
    row(
      'a new stream from a path',
      (out) => {
        for (let i = 0; i < out.length; i++) out[i] = stream.fork('trial').state[0]!;
      },
      {
        name: 'seedrandom(text)',
        fill: (out) => {
          for (let i = 0; i < out.length; i++) out[i] = seedrandom('benchmark samplers/trial')();
        },
      },
      1000,
    ),
  ];
}

function discreteRows(stream: RandomStream): BenchmarkRow[] {
  const weights = Float64Array.from({ length: 17 }, (_, i) => 1 / (i + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = Array.from(weights, (weight) => weight / total);
  const table = aliasTable(weights);
  return [
    row(
      'binomial, n = 1000, p = 0.3',
      (out) => {
        for (let i = 0; i < out.length; i++) out[i] = sampleBinomial(1000, 0.3, stream);
      },
      {
        name: 'coin by coin',
        fill: (out) => {
          for (let i = 0; i < out.length; i++) out[i] = coinByCoin(1000, 0.3);
        },
        draws: 1000,
      },
    ),
    manyCoinsRow(stream),
    row(
      'binomial, n = 1e12, p = 1e-12',
      (out) => {
        for (let i = 0; i < out.length; i++) out[i] = sampleBinomial(1e12, 1e-12, stream);
      },
      {
        name: 'masses from 0 up',
        fill: (out) => {
          for (let i = 0; i < out.length; i++) out[i] = binomialFromZero(1e12, 1e-12);
        },
      },
    ),
    row(
      'Poisson, mean 0.3',
      (out) => {
        for (let i = 0; i < out.length; i++) out[i] = samplePoisson(0.3, stream);
      },
      {
        name: 'product of uniforms',
        fill: (out) => {
          for (let i = 0; i < out.length; i++) out[i] = poissonByProduct(0.3);
        },
      },
    ),
    row(
      'Poisson, mean 1000',
      (out) => {
        for (let i = 0; i < out.length; i++) out[i] = samplePoisson(1000, stream);
      },
      {
        name: 'waiting times',
        fill: (out) => {
          for (let i = 0; i < out.length; i++) out[i] = poissonByArrivals(1000);
        },
        draws: 500,
      },
    ),
    row(
      'hypergeometric, 3000 of 10 000, sd 14',
      (out) => {
        for (let i = 0; i < out.length; i++) out[i] = sampleHypergeometric(1000, 9000, 3000, stream);
      },
      {
        name: 'one by one',
        fill: (out) => {
          for (let i = 0; i < out.length; i++) out[i] = hypergeometricOneByOne(1000, 9000, 3000);
        },
        draws: 200,
      },
    ),
    row(
      'negative binomial, shape 50, p = 0.5',
      (out) => {
        for (let i = 0; i < out.length; i++) out[i] = sampleNegativeBinomial(50, 0.5, stream);
      },
      {
        name: 'coin by coin',
        fill: (out) => {
          for (let i = 0; i < out.length; i++) out[i] = negativeBinomialByCoins(50, 0.5);
        },
      },
    ),
    row(
      'categorical, 17 weights',
      (out) => {
        for (let i = 0; i < out.length; i++) out[i] = table.sample(stream);
      },
      {
        name: 'linear scan',
        fill: (out) => {
          for (let i = 0; i < out.length; i++) out[i] = linearScan(weights, total);
        },
      },
    ),
    row(
      'multinomial, n = 100 000 over 17 weights',
      (out) => {
        const counts = new Float64Array(17);
        for (let i = 0; i < out.length; i++) {
          counts.fill(0);
          sampleMultinomial(100_000, shares, counts, stream);
          out[i] = counts[0]!;
        }
      },
      {
        name: 'one by one, linear scan',
        fill: (out) => {
          const counts = new Float64Array(17);
          for (let i = 0; i < out.length; i++) {
            counts.fill(0);
            for (let draw = 0; draw < 100_000; draw++) counts[linearScan(weights, total)]!++;
            out[i] = counts[0]!;
          }
        },
        draws: 10,
      },
      1000,
    ),
    row(
      'subset, 4 of 17',
      (out) => {
        const subset = new Uint32Array(4);
        for (let i = 0; i < out.length; i++) {
          sampleSubset(4, 17, subset, 0, stream);
          out[i] = subset[0]!;
        }
      },
      {
        name: 'shuffle the 17',
        fill: (out) => {
          for (let i = 0; i < out.length; i++) out[i] = shuffledSubset(4, 17)[0]!;
        },
      },
    ),
  ];
}

/** Coin by coin would take hours, and masses from 0 up underflow: the plain way starts at the mode. */
function manyCoinsRow(stream: RandomStream): BenchmarkRow {
  const seconds = secondsADraw((out) => {
    for (let i = 0; i < out.length; i++) out[i] = sampleBinomial(1e12, 0.3, stream);
  }, DRAWS);
  const draws = 40;
  const plain = once(() => {
    for (let i = 0; i < draws; i++) if (!(binomialFromMode(1e12, 0.3) >= 0)) throw new Error('no number');
  });
  return timeRow('samplers', 'binomial, n = 1e12, p = 0.3', 'ns a draw', seconds, {
    name: 'masses from the mode',
    seconds: plain / draws,
  });
}

function continuousRows(stream: RandomStream): BenchmarkRow[] {
  const gaussian: Plain = {
    name: 'Box and Muller',
    fill: (out) => {
      for (let i = 0; i < out.length; i++) out[i] = boxMuller();
    },
  };
  const laplace: Plain = {
    name: 'inverse function',
    fill: (out) => {
      for (let i = 0; i < out.length; i++) out[i] = inverseLaplace();
    },
  };
  return [
    row(
      'Gaussian',
      (out) => {
        for (let i = 0; i < out.length; i++) out[i] = sampleGaussian(stream);
      },
      gaussian,
    ),
    row('Gaussian, filling an array', (out) => fillGaussian(out, 0, out.length, stream), gaussian),
    row(
      'Laplace',
      (out) => {
        for (let i = 0; i < out.length; i++) out[i] = sampleLaplace(1, stream);
      },
      laplace,
    ),
    row('Laplace, filling an array', (out) => fillLaplace(out, 0, out.length, stream), laplace),
  ];
}
