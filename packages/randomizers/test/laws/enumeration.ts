/** Output spaces of small randomizers, message by message, and what follows from the probabilities alone. */
import type { FrequencyOracle, LikelihoodAtoms } from '@shuffle-dp/core';

export type AnyOracle = FrequencyOracle<never>;

/** All messages of the oracle, each with one entry per column. */
export function messagesOf(oracle: AnyOracle): number[][] {
  const { name, domain } = oracle;
  if (name === 'grr') return range(domain).map((value) => [value]);
  if (name === 'augmented-rr') return range(domain + 1).map((value) => [value]);
  if (name === 'hadamard')
    return range((oracle as unknown as { order: number }).order).map((value) => [value]);
  if (name === 'local-hash') {
    const { hashRange, family } = oracle as unknown as { hashRange: number; family: { size: number } };
    return range(family.size).flatMap((seed) => range(hashRange).map((bucket) => [seed, bucket]));
  }
  const rows = range(2 ** domain);
  const size = (oracle as unknown as { subsetSize?: number }).subsetSize;
  return rows.filter((row) => size === undefined || bits(row) === size).map((row) => [row]);
}

/** probabilities[x][y] over the messages in the order of `messagesOf`. */
export function probabilitiesOf(oracle: AnyOracle): number[][] {
  const messages = messagesOf(oracle);
  return range(oracle.domain).map((value) =>
    messages.map((message) => Math.exp(oracle.logProbability!(message, value))),
  );
}

/** sum (P - Q)^2 / W: what decides the divergence to first order, and a fingerprint of the atoms. */
export function firstOrderConstant(p: ArrayLike<number>, q: ArrayLike<number>, w: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < p.length; i++) if (p[i] !== q[i]) sum += (p[i]! - q[i]!) ** 2 / w[i]!;
  return sum;
}

export function constantOf(atoms: LikelihoodAtoms): number {
  return firstOrderConstant(atoms.victim0, atoms.victim1, atoms.others);
}

export function total(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0);
}

export function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

function bits(row: number): number {
  return row.toString(2).replaceAll('0', '').length;
}
