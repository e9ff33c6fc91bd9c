/** A sample of what the packages compute, run in a browser and in Node: both must give the same digits. */
import { certifiedEpsilon } from '@shuffle-dp/accounting';
import {
  logBinomialTail,
  logGamma,
  normalQuantile,
  RandomStream,
  Real,
  regularizedIncompleteBeta,
  sampleBinomial,
  sampleGaussian,
  samplePoisson,
} from '@shuffle-dp/core';
import { BLANKET_MECHANISMS } from '@shuffle-dp/protocols';
import { generalizedRandomizedResponse, RANDOMIZERS, subsetSelection } from '@shuffle-dp/randomizers';
import { shuffle } from '@shuffle-dp/shuffler';

/** Numbers of every kind, the same to the last bit. */
export function sample(): {
  readonly integers: number[];
  readonly reals: number[];
  readonly elementary: number[];
} {
  const stream = RandomStream.fromSeed('sample');
  const draws = stream.fork('draws');
  const oracle = subsetSelection({ epsilon0: 1.5, domain: 12, subsetSize: 3 });
  const values = Uint32Array.from({ length: 500 }, (_, i) => i % 12);
  const messages = oracle.allocate(values.length);
  oracle.randomizeInto(values, messages, stream.fork('messages'));
  const counts = oracle.supportCounts(shuffle(messages, stream.fork('shuffle')));
  const grr = generalizedRandomizedResponse({ epsilon0: 2, domain: 8 });
  const bracket = certifiedEpsilon(grr.amplification(), 1000, 1e-6, { epsilon0: 2 });
  return {
    integers: [
      ...Array.from({ length: 8 }, () => stream.nextUint32()),
      sampleBinomial(1000, 0.3, draws),
      samplePoisson(40, draws),
      ...counts,
    ],
    reals: [
      sampleGaussian(draws),
      draws.next(),
      logGamma(3.7),
      normalQuantile(1e-9),
      regularizedIncompleteBeta(0.3, 2.5, 70),
      logBinomialTail(40, 1000, 0.01),
      ...oracle.estimate(counts, values.length),
      bracket.lower,
      bracket.upper,
      ...[...RANDOMIZERS, ...BLANKET_MECHANISMS]
        .map((card) => card.model(card.example).epsilon0)
        .filter((epsilon0) => epsilon0 < Infinity),
    ],
    elementary: Array.from({ length: 500 }, () => 1.8 * draws.next() - 0.9).flatMap((x) => [
      ...[Real.exp, Real.expm1, Real.log1p, Real.sin, Real.cos, Real.asin, Real.tanh].map((f) => f(x)),
      ...[Real.exp, Real.log, Real.sin, Real.cos, Real.sinh].map((f) => f(50 * Math.abs(x))),
      Real.atan2(x, 0.7),
      Real.power(1 + x, 17),
    ]),
  };
}

declare global {
  var shuffleDpSample: typeof sample;
}

globalThis.shuffleDpSample = sample;
