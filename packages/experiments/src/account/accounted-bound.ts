/** A bound at one point, proved here or published, as an account lists it. */
import type { BoundDirection, Soundness } from '@shuffle-dp/core';
import type { Condition } from '@shuffle-dp/accounting';
import type { MechanismCitation } from './mechanisms/mechanism-citations.ts';

export interface AccountedBound {
  readonly name: string;
  readonly direction: BoundDirection;
  /** The quantity asked for; null where the bound says nothing here. */
  readonly value: number | null;
  readonly sound: Soundness;
  readonly reason?: string;
  /** Of a proved lower end: the data set that attains it. */
  readonly worst?: string;
  readonly source: string;
  readonly conditions: readonly Condition[];
  readonly citation: MechanismCitation;
}
