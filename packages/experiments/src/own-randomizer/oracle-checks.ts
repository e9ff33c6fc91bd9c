/**
 * What can be checked of what a frequency oracle that somebody else wrote says of itself: that it has what
 * protocols and accountants ask, and that its numbers fit together. What it draws is compared with them in
 * draw-checks.ts.
 */
import type { FrequencyOracle, LikelihoodAtoms } from '@shuffle-dp/core';
import { massesFault, type OthersAre } from '@shuffle-dp/accounting';
import { valueText } from '../documents/config-error.ts';
import { ORACLE_METHODS } from '../own-module/watched-oracle.ts';
import { powerCurve } from './power-curve.ts';

/** Of sums of masses, and of ratios. */
const TOLERANCE = 1e-9;
/** Rounding of a mass, such as that of 1 - p for p near 1. */
const ROUNDING = 1e-15;

/** What is wrong with what a module made, as `statedFault`, before anything of it is called. */
export function missingFault(made: unknown): string | null {
  const oracle = (made ?? {}) as Readonly<Record<string, unknown>>;
  const missing = ORACLE_METHODS.filter((method) => typeof oracle[method] !== 'function');
  return missing.length === 0 ? null : `one whose oracle has ${missing.join(', ')}`;
}

/**
 * What is wrong with the numbers that an oracle states, as what it must be: 'one whose …'; null where nothing
 * is. Cheap: a search for a budget may ask it at every step.
 */
export function statedFault(oracle: FrequencyOracle, domain: number, epsilon0: number): string | null {
  if (oracle.domain !== domain || oracle.epsilon0 !== epsilon0)
    return 'one whose oracle has the domain and epsilon0 it was given';
  if (!(oracle.bitsPerMessage >= 0 && oracle.bitsPerMessage < Infinity))
    return `one whose bitsPerMessage is zero or a positive number, not ${valueText(oracle.bitsPerMessage)}`;
  return supportFault(oracle) ?? profileFault(oracle) ?? varianceFault(oracle);
}

function supportFault({ supportProbability, epsilon0 }: FrequencyOracle): string | null {
  const { own, other } = (supportProbability ?? {}) as Partial<FrequencyOracle['supportProbability']>;
  if (!(typeof own === 'number' && typeof other === 'number' && own <= 1 && other >= 0 && own > other))
    return `one whose supportProbability has own above other, both in [0, 1], not own = ${valueText(own)}, other = ${valueText(other)}`;
  if (exceeds(own, other, epsilon0) || exceeds(1 - other, 1 - own, epsilon0))
    return `one whose supportProbability, own = ${own}, other = ${other}, keeps to the budget epsilon0 = ${epsilon0}`;
  return null;
}

/** Whether one mass is more than e^epsilon0 times the other. */
function exceeds(mass: number, than: number, epsilon0: number): boolean {
  return mass * Math.exp(-epsilon0) > than * (1 + TOLERANCE) + ROUNDING;
}

function profileFault(oracle: FrequencyOracle): string | null {
  const profile = oracle.amplification() as unknown;
  const { blanket, homogeneous } = (profile ?? {}) as Record<string, unknown>;
  if (!Array.isArray(blanket) || !Array.isArray(homogeneous) || blanket.length === 0)
    return `one whose amplification() has lists of masses, blanket (at least one) and homogeneous, not ${valueText(profile)}`;
  for (const [list, entries] of Object.entries({ blanket, homogeneous })) {
    for (const [i, entry] of entries.entries()) {
      const fault = atomsFault(entry as LikelihoodAtoms, list === 'blanket' ? 'blanket' : 'law', oracle);
      if (fault !== null) return `one whose amplification().${list}[${i}] has ${fault}`;
    }
  }
  return null;
}

function atomsFault(atoms: LikelihoodAtoms, othersAre: OthersAre, oracle: FrequencyOracle): string | null {
  const { epsilon0, supportProbability } = oracle;
  const shape = massesFault(atoms, 'messages');
  if (shape !== null) return shape;
  const { victim0, victim1 } = atoms;
  for (let i = 0; i < victim0.length; i++) {
    const [first, second] = [victim0[i]!, victim1[i]!];
    if (exceeds(Math.max(first, second), Math.min(first, second), epsilon0))
      return `masses of the victim within e^epsilon0 of each other, epsilon0 = ${epsilon0}, not ${first} and ${second}`;
  }
  const fault = massesFault(atoms, othersAre);
  if (fault !== null) return fault;
  // That a message supports the first value is one test of the victim's value: no test does better than the
  // masses allow.
  const { own, other } = supportProbability;
  const size = other * (1 + TOLERANCE) + ROUNDING;
  if (Math.min(powerCurve(victim0, victim1)(size), powerCurve(victim1, victim0)(size)) < own - TOLERANCE)
    return `masses that tell the victim's values apart at least as well as supportProbability does, own = ${own}, other = ${other}`;
  return null;
}

function varianceFault(oracle: FrequencyOracle): string | null {
  for (const frequency of [0.1, 0.5, 0.9]) {
    const variance: unknown = oracle.variance(1000, frequency);
    if (!(typeof variance === 'number' && variance > 0 && variance < Infinity))
      return `one whose variance(1000, ${frequency}) is positive, not ${valueText(variance)}`;
  }
  return null;
}

/** What an estimate must be at any data, as `statedFault`. */
export function estimateShapeFault(estimate: unknown, domain: number): string | null {
  const fault = arrayFault(estimate, domain, -Infinity);
  return fault === null ? null : `one whose estimate gives ${fault}`;
}

export function arrayFault(values: unknown, length: number, least: number): string | null {
  if (!(values instanceof Float64Array)) return `a Float64Array, not ${valueText(values)}`;
  if (values.length !== length) return `one number for each of ${length} categories, not ${values.length}`;
  const wrong = values.find((value) => !(value >= least && Number.isFinite(value)));
  if (wrong === undefined) return null;
  return least === 0 ? `counts from 0, not ${wrong}` : `finite numbers, not ${wrong}`;
}
