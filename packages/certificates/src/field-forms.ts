/** The texts that fields of a certificate may have. */

/** What a text must match, and how a refusal says it. */
export interface Form {
  readonly pattern: RegExp;
  readonly words: string;
}

export const DECIMAL: Form = {
  pattern: /^\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,3})?$/u,
  words: 'a decimal number that is not negative, as text',
};
export const PARAMETER: Form = {
  pattern: /^(\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,3})?|inf)$/u,
  words: `${DECIMAL.words}, or inf`,
};
export const INTEGER: Form = { pattern: /^\d{1,400}$/u, words: 'an integer that is not negative, as text' };
export const PLACE: Form = { pattern: /^\d{1,5}$/u, words: 'an integer of at most 5 digits, as text' };
export const INDEX: Form = { pattern: /^-?\d{1,15}$/u, words: 'an integer, as text' };
export const NAME: Form = {
  pattern: /^[A-Za-z][A-Za-z0-9-]{0,63}$/u,
  words: 'a name of letters, digits and hyphens',
};

/** A positive integer of at most so many digits. */
export function positive(digits: number): Form {
  return {
    pattern: new RegExp(`^[1-9]\\d{0,${digits - 1}}$`, 'u'),
    words: `a positive integer of at most ${digits} digits, as text`,
  };
}
