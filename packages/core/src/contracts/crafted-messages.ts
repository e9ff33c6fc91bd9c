/**
 * Messages of users who send what they like, to promote some categories. X. Cao, J. Jia, N. Z. Gong, "Data
 * Poisoning Attacks to Local Differential Privacy Protocols", USENIX Security 2021.
 */
import type { RandomStream } from '../random/random-stream.ts';
import type { MessageColumns } from './messages.ts';

/**
 * Attacks whose messages no honest user would make of a target. 'maximal-gain': the message that supports
 * most targets. 'random-message': a random message of the output space.
 */
export type CraftedAttack = (typeof CRAFTED_ATTACKS)[number];

export const CRAFTED_ATTACKS = ['maximal-gain', 'random-message'] as const;

/** What such messages of one randomizer are, and what they support. */
export interface CraftedMessages<Columns extends MessageColumns = MessageColumns> {
  /** Probabilities that one message supports a given target, of so many, and a given other category. */
  support(attack: CraftedAttack, targets: number): { readonly ofTarget: number; readonly ofOther: number };
  /**
   * What writes one message at a row of the columns, which is zero before.
   * @param targets categories, each once
   * @throws ParameterError for targets that no message need support together
   */
  writer(
    attack: CraftedAttack,
    targets: readonly number[],
    columns: Columns,
    stream: RandomStream,
  ): (row: number) => void;
}
