/**
 * Exact hypergeometric draws: how many of `draws` items taken without replacement are among the `successes`. Inversion
 * outward from the mode, by ratios of successive probabilities: about one standard deviation of steps a draw.
 */
import { requireInteger } from '../arguments.ts';
import { ParameterError } from '../errors.ts';
import { logBinomialCoefficient } from '../numeric/log-gamma.ts';
import type { RandomStream } from './random-stream.ts';

/** @throws ParameterError unless all are integers of at least 0 with draws <= successes + failures */
export function sampleHypergeometric(
  successes: number,
  failures: number,
  draws: number,
  stream: RandomStream,
): number {
  requireInteger('successes', successes, 0);
  requireInteger('failures', failures, 0);
  requireInteger('draws', draws, 0);
  const population = successes + failures;
  if (draws > population)
    throw new ParameterError('draws', draws, `at most successes + failures = ${population}`);
  const lowest = Math.max(0, draws - failures);
  const highest = Math.min(draws, successes);
  if (lowest === highest) return lowest;
  const mode = Math.min(
    highest,
    Math.max(lowest, Math.floor(((draws + 1) * (successes + 1)) / (population + 2))),
  );
  const atMode = Math.exp(
    logBinomialCoefficient(successes, mode) +
      logBinomialCoefficient(failures, draws - mode) -
      logBinomialCoefficient(population, draws),
  );
  for (;;) {
    const found = outwardFromMode(mode, atMode, lowest, highest, successes, failures, draws, stream.next());
    if (found !== null) return found;
  }
}

/** Null when rounding left the uniform beyond the summed mass: about once in 1e13 draws. */
function outwardFromMode(
  mode: number,
  atMode: number,
  lowest: number,
  highest: number,
  successes: number,
  failures: number,
  draws: number,
  uniform: number,
): number | null {
  let remaining = uniform - atMode;
  if (remaining < 0) return mode;
  let up = mode;
  let down = mode;
  let upMass = atMode;
  let downMass = atMode;
  while (up < highest || down > lowest) {
    if (up < highest) {
      upMass *= ((successes - up) * (draws - up)) / ((up + 1) * (failures - draws + up + 1));
      up++;
      remaining -= upMass;
      if (remaining < 0) return up;
    }
    if (down > lowest) {
      downMass *= (down * (failures - draws + down)) / ((successes - down + 1) * (draws - down + 1));
      down--;
      remaining -= downMass;
      if (remaining < 0) return down;
    }
    if (upMass < 1e-18 && downMass < 1e-18) return null;
  }
  return null;
}
