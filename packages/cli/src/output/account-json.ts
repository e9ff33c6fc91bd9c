/**
 * An account as one JSON document. JSON has no infinity: an unbounded end is null, an infinite parameter
 * 'inf'. Of a bound, `sound` is the verdict in general, `verdict` the one on the value given, null where
 * there is none.
 */
import type { VariationRatio } from '@shuffle-dp/core';
import { type Account, accountCitations } from '@shuffle-dp/experiments/account';

export function accountJson(
  account: Account,
  { explain, cite }: { readonly explain: boolean; readonly cite: boolean },
): object {
  const { target, bounds, bracket } = account;
  const asked = 'delta' in target ? 'epsilon' : 'delta';
  return {
    mechanism: account.mechanism,
    parameters: finiteOrWord(account.parameters),
    users: account.users,
    ...(account.threats ? { threats: account.threats, hiding: account.hiding } : {}),
    adjacency: 'replace-one',
    ...('delta' in target ? { delta: target.delta } : { epsilon: target.epsilon }),
    variationRatio: account.variationRatio && ratiosOf(account.variationRatio),
    ...(account.printedVariationRatio
      ? { printedVariationRatio: ratiosOf(account.printedVariationRatio) }
      : {}),
    [asked]: { lower: bracket.lower, upper: bracket.upper === Infinity ? null : bracket.upper },
    sound: account.sound,
    ...(account.reason === undefined ? {} : { reason: account.reason }),
    ...(account.coarse === undefined ? {} : { coarse: account.coarse }),
    bounds: bounds.map(
      ({ name, direction, value, sound, reason, source, conditions, citation, ...rest }) => ({
        name,
        direction,
        [asked]: value === Infinity ? null : value,
        sound,
        ...(value === Infinity ? { reason: 'no finite value' } : reason === undefined ? {} : { reason }),
        verdict: rest.verdict,
        ...(rest.counterexample === undefined ? {} : { counterexample: rest.counterexample }),
        ...(rest.worst === undefined ? {} : { worst: rest.worst }),
        ...(rest.parameters === undefined ? {} : { parameters: rest.parameters }),
        source,
        ...(explain ? { conditions } : {}),
        ...(cite ? { citation } : {}),
      }),
    ),
    ...(cite ? { citations: accountCitations(account) } : {}),
  };
}

function finiteOrWord(parameters: Readonly<Record<string, number>>): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, value === Infinity ? 'inf' : value]),
  );
}

function ratiosOf({ p, beta, q }: VariationRatio): ReturnType<typeof finiteOrWord> {
  return finiteOrWord({ p, beta, q });
}
