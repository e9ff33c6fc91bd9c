/**
 * The divergence that formula F1 states, from its definition: users - 1 slots that each show an atom or
 * nothing, and the victim's atom among what is shown. All sequences are listed, so only for a handful of
 * users and atoms.
 */
import type { LikelihoodAtoms } from '@shuffle-dp/core';

/** The larger of both directions. */
export function slotDivergence(atoms: LikelihoodAtoms, users: number, epsilon: number): number {
  const { victim0, victim1, others } = atoms;
  const slots = shownBySlots(others, users - 1);
  const first = withVictim(slots, victim0);
  const second = withVictim(slots, victim1);
  return Math.max(excess(first, second, epsilon), excess(second, first, epsilon));
}

/** Law of the sorted list of what the slots show. */
function shownBySlots(others: ArrayLike<number>, slots: number): Map<string, number> {
  const nothing = Math.max(0, 1 - Array.from(others).reduce((sum, mass) => sum + mass, 0));
  let law = new Map([['', 1]]);
  for (let slot = 0; slot < slots; slot++) {
    const next = withVictim(law, others);
    for (const [shown, mass] of law) add(next, shown, mass * nothing);
    law = next;
  }
  return law;
}

function withVictim(slots: ReadonlyMap<string, number>, victim: ArrayLike<number>): Map<string, number> {
  const law = new Map<string, number>();
  for (const [shown, mass] of slots) {
    for (let y = 0; y < victim.length; y++) {
      add(law, [...shown.split(''), String.fromCodePoint(97 + y)].toSorted().join(''), mass * victim[y]!);
    }
  }
  return law;
}

function add(law: Map<string, number>, key: string, mass: number): void {
  if (mass > 0) law.set(key, (law.get(key) ?? 0) + mass);
}

function excess(p: ReadonlyMap<string, number>, q: ReadonlyMap<string, number>, epsilon: number): number {
  let sum = 0;
  for (const [key, mass] of p) sum += Math.max(0, mass - Math.exp(epsilon) * (q.get(key) ?? 0));
  return sum;
}
