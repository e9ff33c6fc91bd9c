/**
 * Blanket messages that name items whatever the users hold, by the three ways of counting them out: coins of
 * the paper (S. Wang et al., "Segmented Private Data Aggregation in the Multi-message Shuffle Model", 2025),
 * Poisson, and negative binomial.
 *
 * Negative-binomial blankets are Poisson ones of which each is sent a logarithmic number of times: then every
 * item has a negative binomial number of them, independently of the other items.
 */
import {
  ParameterError,
  Real,
  requireOneOf,
  sampleBinomial,
  sampleLogarithmic,
  sampleNegativeBinomial,
  samplePoisson,
  sampleUniformMultinomial,
  type RandomStream,
} from '@shuffle-dp/core';
import { fillIntegersBelow } from '../columns/uniform-integers.ts';

/**
 * 'paper': ceil(m) messages, or more slots, each kept so that m are expected. 'poisson': a Poisson number
 * with mean m. 'negative-binomial': of every item a negative binomial number with mean m/d.
 */
export const BLANKET_KINDS = ['paper', 'poisson', 'negative-binomial'] as const;

export type BlanketKind = (typeof BLANKET_KINDS)[number];

export type ItemColumn = Uint8Array | Uint16Array | Uint32Array;

export interface BlanketItems {
  /** Room that is enough except with negligible probability. */
  room(users: number): number;
  /** Number of blankets of all users, each counted once however often it is sent. */
  draw(users: number, stream: RandomStream): number;
  /**
   * Writes so many blankets from place `start` on, and returns where they end.
   * @throws RangeError where `out` is too short
   */
  fill(drawn: number, out: ItemColumn, start: number, stream: RandomStream): number;
  /** Adds the number of blankets of each item, drawn from the same joint law. */
  addCounts(users: number, counts: Float64Array, stream: RandomStream): void;
}

/**
 * @param blanketRate expected blankets of a user (m), positive
 * @param successProbability of the negative binomial, in [0.01, 1): the variance of an item's number is its
 * mean over this
 * @param slots of the paper's blankets: coins of a user where m needs fewer
 * @throws ParameterError
 */
export function blanketItems(
  kind: BlanketKind,
  domain: number,
  blanketRate: number,
  successProbability: number | undefined,
  slots = 0,
): BlanketItems {
  requireOneOf('blankets', kind, BLANKET_KINDS);
  return kind === 'negative-binomial'
    ? repeatedBlankets(domain, blanketRate, requireSuccessProbability(successProbability))
    : uniformBlankets(kind, domain, blanketRate, slots);
}

/** Below 0.01 an item's variance would be a hundred times its mean. */
function requireSuccessProbability(value: number | undefined): number {
  if (!(value !== undefined && value >= 0.01 && value < 1)) {
    throw new ParameterError('successProbability', value, 'in [0.01, 1)');
  }
  return value;
}

function uniformBlankets(
  kind: 'paper' | 'poisson',
  domain: number,
  blanketRate: number,
  slots: number,
): BlanketItems {
  const coins = Math.max(Math.ceil(blanketRate), slots);
  const keep = blanketRate / coins;
  const draw = (users: number, stream: RandomStream): number =>
    kind === 'paper'
      ? sampleBinomial(users * coins, keep, stream)
      : samplePoisson(users * blanketRate, stream);
  return {
    room: (users) => roomFor(users * blanketRate, 1),
    draw,
    fill: (drawn, out, start, stream) => {
      const end = start + drawn;
      requireRoom(out, end);
      fillIntegersBelow(domain, out, start, end, stream);
      return end;
    },
    addCounts: (users, counts, stream) => sampleUniformMultinomial(draw(users, stream), counts, stream),
  };
}

function repeatedBlankets(domain: number, blanketRate: number, success: number): BlanketItems {
  const odds = (1 - success) / success;
  /** A user's share of the negative binomial's shape, over all items. */
  const shape = blanketRate / odds;
  const distinct = -shape * Real.log(success);
  return {
    room: (users) => roomFor(users * blanketRate, success),
    draw: (users, stream) => samplePoisson(users * distinct, stream),
    fill: (drawn, out, start, stream) => {
      requireRoom(out, start);
      let end = start;
      for (let left = drawn; left > 0; left--) {
        const from = end;
        end += sampleLogarithmic(success, stream);
        requireRoom(out, end);
        out.fill(stream.integerBelow(domain), from, end);
      }
      return end;
    },
    addCounts: (users, counts, stream) => {
      for (let j = 0; j < domain; j++) {
        counts[j]! += sampleNegativeBinomial((users * shape) / domain, success, stream);
      }
    },
  };
}

/** Twelve deviations above the mean, with room for the exponential tail of small means. */
function roomFor(mean: number, success: number): number {
  return Math.ceil(mean + 12 * Math.sqrt(mean / success) + 64 / success);
}

/** @throws RangeError */
export function requireRoom(out: ItemColumn, needed: number): void {
  if (needed > out.length) {
    throw new RangeError(`${needed} messages in a column of ${out.length}: allocate more`);
  }
}
