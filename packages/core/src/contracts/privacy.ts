/**
 * What the project says about privacy, as plain data. `epsilon0` is always local, `epsilon` always central.
 */
import type { Interval } from '../interval.ts';

/**
 * Whether a published bound holds: proved (true), contradicted by an exact computation (false), or neither.
 * Every bound carries one; see docs/soundness.md.
 */
export type Soundness = true | false | 'unproven';

/**
 * The verdict on one statement. 'certified': what is proved implies it. 'refuted': a data set contradicts it.
 * 'unproven': the proved bracket leaves both open.
 */
export type Verdict = 'certified' | 'refuted' | 'unproven';

/** Which data sets are neighbours. All bounds here are proved for `replace-one`. */
export type Adjacency = 'replace-one';

/**
 * Whom users must trust. 'shuffler': that messages are permuted, and no more; each user's messages are random
 * by themselves. 'augmented': the shuffler sees values in the clear, samples them and adds dummies, and hides
 * both from the analyzer. Nothing protects a user whose augmented shuffler shares what it sees.
 */
export type Trust = (typeof TRUST)[number];

export const TRUST = ['shuffler', 'augmented'] as const;

export type BoundDirection = 'upper' | 'lower';

/** What is given of the central epsilon (nats) and delta; the other one is computed. */
export type Target =
  { readonly delta: number; readonly epsilon?: never } | { readonly epsilon: number; readonly delta?: never };

/** The central privacy that a protocol gives, and on what grounds. */
export interface PrivacyStatement {
  /**
   * Bracket of the smallest epsilon at `delta`; one-sided statements have 0 or infinity on the other side.
   */
  readonly epsilon: Interval;
  readonly delta: number;
  /** Name of the accountant: 'blanket', 'variation-ratio', 'segmented-theorem-3', … */
  readonly accountant: string;
  /** The theorem with its source: 'Wang et al. 2025, Theorem 3'. */
  readonly theorem: string;
  /** 'certified': the upper end rests on a sound bound; 'as published': it repeats a paper's claim. */
  readonly status: 'certified' | 'as published';
  /** Whether the theorem holds in general. */
  readonly sound: Soundness;
  /** Why a published claim is not called sound; absent when it is. */
  readonly reason?: string;
  /**
   * The verdict on this statement at its own parameters: whether what is proved implies its upper end, or a
   * data set exceeds it (`verdictHere`). Absent where it was not held against a bracket yet.
   */
  readonly verdict?: Verdict;
  readonly adjacency: Adjacency;
  /** The unit of privacy in words: 'one user, all their messages'. */
  readonly unit: string;
  /** What the adversary sees, in words: 'the shuffled messages of all users'. */
  readonly view: string;
  /** Absent for 'shuffler'. */
  readonly trust?: Trust;
  /** The group of users that the statement is about, where users differ: 'level 0.5'. */
  readonly group?: string;
}
