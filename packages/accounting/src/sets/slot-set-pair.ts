/**
 * A user's set against another among a fixed number of blanket slots, each of which shows a uniform item with
 * probability g, else nothing.
 */
import { ParameterError, Real, requireInteger, requireProbability } from '@shuffle-dp/core';
import { blanketCountLaw } from './blanket-count.ts';
import { countRatios, type RatioLaw } from './ratio-law.ts';

/** Users other than the victim who send items by coins of their own. */
export interface OtherCoins {
  /** How many they are, at least 0. */
  readonly users: number;
  /** Items that each of them holds, whichever these are; from 1 to the domain. */
  readonly items: number;
  /** Probability with which they send each of them. */
  readonly rate: number;
}

export interface SlotSetPair {
  /** Blanket slots of all users, the victim's included (N); at least 1. */
  readonly slots: number;
  /** Number of items that exist (d). */
  readonly domain: number;
  /** Probability that a slot shows an item (g), in (0, 1]. */
  readonly slotProbability: number;
  /** Probability with which each of the user's items is sent (lambda). */
  readonly rate: number;
  /**
   * Number of items that differ between the two sets, each way (t), at least 0 and at most half the domain.
   */
  readonly itemsChanged: number;
  /** Whose coins may hide how many items the victim sends; without them nobody's are counted on. */
  readonly others?: OtherCoins | undefined;
}

export interface SlotSetOptions {
  /**
   * The divergence that is looked for, in (0, 1], default 1e-30: far below it the bounds lose their digits,
   * though not their truth.
   */
  readonly delta?: number;
}

const DEFAULT_DELTA = 1e-30;
/** Counts wider than this are not conditioned on their total. */
export const MOST_CONDITIONED = 250_000;

export function deltaOf({ delta = DEFAULT_DELTA }: SlotSetOptions): number {
  return delta;
}

/** Natural logarithm of the masses that are cut: far below the divergence that is looked for. */
export function logCutFor(options: SlotSetOptions): number {
  return Math.max(-760, Real.log(deltaOf(options)) - 23);
}

/** Of the Poisson count of a part of the items, which has one message more for sure. */
export function sentRatios(mean: number, logCut: number): RatioLaw {
  return countRatios(blanketCountLaw({ mean, successProbability: 1 }, logCut), 1);
}

/** @throws ParameterError */
export function checkPair(pair: SlotSetPair): SlotSetPair {
  requireInteger('slots', pair.slots, 1);
  requireInteger('domain', pair.domain, 2);
  requireProbability('slotProbability', pair.slotProbability);
  if (pair.slotProbability === 0) throw new ParameterError('slotProbability', 0, 'in (0, 1]');
  requireProbability('rate', pair.rate);
  requireInteger('itemsChanged', pair.itemsChanged, 0, Math.floor(pair.domain / 2));
  if (pair.others !== undefined) {
    requireInteger('others.users', pair.others.users, 0);
    requireInteger('others.items', pair.others.items, 1, pair.domain);
    requireProbability('others.rate', pair.others.rate);
  }
  return pair;
}
