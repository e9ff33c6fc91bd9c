/**
 * With which probability an item was sent, to whoever sees how many slots of its group hide nothing, the item
 * that was not sent counted as one of them (docs/sets.md, "Number hidden").
 */
import { logBinomialPmf, Real } from '@shuffle-dp/core';

/** The blocks of one item's group. */
export interface OpenBlocks {
  readonly blocks: number;
  /** Probability that a block is open. */
  readonly open: number;
  /** Probability that an open block has nothing left. */
  readonly empty: number;
}

/** A rate, told to the adversary with this probability. */
export interface ToldRate {
  readonly rate: number;
  readonly weight: number;
}

/** Steps of the rates, and of the open blocks, over their deviation. */
const [RATE_STEPS, BLOCK_STEPS] = [2, 3];
const [FEWEST_RATES, MOST_RATES] = [8, 32];
/** Rates so near to 1 count as a mixture of 1 and of others. */
const SURE = 1e-4;
/** Of what may be missed: beyond either end of a binomial number, and of all numbers that are left out. */
const [OF_AN_END, OF_NUMBERS] = [1 / 16, 1 / 4];

/**
 * The law of the rate, its mean the item's own: on a grid, each split onto its two neighbours so that its
 * mean stays, which tells more.
 * @param missed probability of what is left out, at most
 */
export function hiddenRates(rate: number, group: OpenBlocks, missed: number): readonly ToldRate[] {
  const end = OF_AN_END * missed;
  const steps = openBlocks(group, end);
  const entries: ToldRate[] = [];
  for (const { open, probability } of steps) {
    const [first, last] = likely(open, group.empty, end);
    const least = (OF_NUMBERS * missed) / (steps.length * (last - first + 2));
    for (let shown = first; shown <= last + 1; shown++) {
      const sent = rate * probability * pmf(shown, open, group.empty);
      const unsent = (1 - rate) * probability * pmf(shown - 1, open, group.empty);
      const weight = sent + unsent;
      if (weight > least) entries.push({ rate: unsent === 0 ? 1 : sent / weight, weight });
    }
  }
  entries.sort((a, b) => a.rate - b.rate);
  return onGrid(withoutEnds(entries, OF_NUMBERS * missed));
}

/** Numbers between which a binomial one lies, but for `missed` beyond either end (Bernstein's inequality). */
function likely(trials: number, probability: number, missed: number): readonly [number, number] {
  const mean = trials * probability;
  const nats = -Real.log(missed);
  const reach = nats / 3 + Math.sqrt((nats * nats) / 9 + 2 * nats * mean * (1 - probability));
  return [Math.max(0, Math.floor(mean - reach)), Math.min(trials, Math.ceil(mean + reach))];
}

/**
 * Numbers of open blocks with their probabilities, in steps. More hide no less: an open block that may or may
 * not have something left is noise beside the others. So each counts as the last step below it.
 */
function openBlocks({ blocks, open }: OpenBlocks, missed: number): { open: number; probability: number }[] {
  const [first, last] = likely(blocks, open, missed);
  const step = Math.max(1, Math.floor(Math.sqrt(blocks * open * (1 - open)) / BLOCK_STEPS));
  const steps: { open: number; probability: number }[] = [];
  for (let number = first; number <= last; number++) {
    if ((number - first) % step === 0) steps.push({ open: number, probability: 0 });
    steps.at(-1)!.probability += pmf(number, blocks, open);
  }
  return steps;
}

/** Without the smallest and the largest rates, of so much probability together at most. */
function withoutEnds(entries: readonly ToldRate[], missed: number): readonly ToldRate[] {
  let [first, last, left] = [0, entries.length - 1, missed];
  while (first < last && entries[first]!.weight < left / 2) left -= entries[first++]!.weight;
  while (first < last && entries[last]!.weight < left) left -= entries[last--]!.weight;
  return entries.slice(first, last + 1);
}

function onGrid(entries: readonly ToldRate[]): ToldRate[] {
  const low = entries[0]!.rate;
  const high = entries.at(-1)!.rate > 1 - SURE ? 1 : entries.at(-1)!.rate;
  if (low === high) return [{ rate: low, weight: 1 }];
  const count = gridSize(entries, high - low);
  const step = (high - low) / (count - 1);
  const rates = Array.from({ length: count }, (_, i) => (i === count - 1 ? high : low + i * step));
  const weights = new Float64Array(count);
  for (const { rate, weight } of entries) {
    const cell = Math.min(count - 2, Math.floor((rate - low) / step));
    const share = (rate - rates[cell]!) / (rates[cell + 1]! - rates[cell]!);
    const above = weight * Math.min(1, Math.max(0, share));
    weights[cell]! += weight - above;
    weights[cell + 1]! += above;
  }
  return rates.flatMap((rate, i) => (weights[i]! > 0 ? [{ rate, weight: weights[i]! }] : []));
}

function gridSize(entries: readonly ToldRate[], width: number): number {
  let [mean, square] = [0, 0];
  for (const { rate, weight } of entries) {
    mean += weight * rate;
    square += weight * rate * rate;
  }
  const deviation = Math.sqrt(Math.max(Number.MIN_VALUE, square - mean * mean));
  const steps = Math.ceil((RATE_STEPS * width) / deviation);
  return Math.min(MOST_RATES, Math.max(FEWEST_RATES, steps + 1));
}

function pmf(k: number, trials: number, probability: number): number {
  return Real.exp(logBinomialPmf(k, trials, probability));
}
