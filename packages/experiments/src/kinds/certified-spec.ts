/** A protocol's spec with the accounting that proves its parameters meet what each group asked for. */
import type { ProtocolField } from '@shuffle-dp/protocols';

interface CardFields {
  readonly kind: string;
  readonly fields: readonly ProtocolField[];
}

/** By all proved bounds, or by the blanket alone, which is quick. */
export type CertifiedBy = 'sharpest' | 'blanket';

/**
 * The fields that say so. Sets have an exact accounting of the whole, of Poisson blankets; protocols of one
 * message the least of all bounds; others that of the blanket.
 */
export function certifiedFields(
  { kind, fields }: CardFields,
  by: CertifiedBy = 'sharpest',
): Readonly<Record<string, string>> {
  const accounting = fields.find((field) => field.name === 'accounting');
  if (accounting?.type !== 'choice') return {};
  if (!accounting.choices.includes('exact')) {
    const choice = [by, 'blanket'].find((name) => accounting.choices.includes(name));
    return choice === undefined ? {} : { accounting: choice };
  }
  const poisson = fields.some((field) => field.name === 'blankets') && kind !== 'segmented';
  return { accounting: 'exact', ...(poisson ? { blankets: 'poisson' } : {}) };
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The values of a spec at equal certified privacy: the accounting is replaced, coin-flip blankets become
 * Poisson ones, and what holds for all users meets the smallest level. What a spec fixes besides stays, and
 * may leave it above its target.
 * @param levels of set-valued data
 */
export function certifiedValues(card: CardFields, values: Values, levels?: readonly number[]): Values {
  const fields = certifiedFields(card);
  const { slots, blankets, ...rest } = values;
  const countable = blankets === 'poisson' || blankets === 'negative-binomial';
  const exact = fields['accounting'] === 'exact' && card.fields.some(({ name }) => name === 'blankets');
  return {
    ...(exact ? rest : values),
    ...fields,
    ...(exact && countable ? { blankets } : {}),
    ...(exact && slots !== undefined && countable ? { slots } : {}),
    ...(card.kind === 'subexp-local' && levels !== undefined ? { epsilon0: levels[0] } : {}),
  };
}
