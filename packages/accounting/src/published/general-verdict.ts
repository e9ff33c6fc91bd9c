/**
 * The verdict on a published bound in general: on its theorem, whatever the number of users and delta.
 * Whether one of its numbers holds is another question, which `verdictHere` of @shuffle-dp/core answers: a
 * refuted theorem can say true things.
 */

/**
 * A setting in which a published upper bound is exceeded. Epsilons have four digits, and that of the data set
 * is rounded down.
 */
export interface Counterexample {
  /** The command that shows it, without the program's name: 'account grr --epsilon0 4 …'. */
  readonly command: string;
  /** The epsilon that the bound states there. */
  readonly stated: number;
  /** The epsilon that a data set has there at least. */
  readonly atLeast: number;
}

/** `true`: proved. `false`: a data set exceeds it somewhere. 'unproven': neither. */
export type GeneralVerdict =
  | { readonly sound: true; readonly reason?: undefined; readonly counterexample?: undefined }
  | { readonly sound: 'unproven'; readonly reason: string; readonly counterexample?: undefined }
  | { readonly sound: false; readonly reason: string; readonly counterexample: Counterexample };
