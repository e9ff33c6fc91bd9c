/**
 * An account as one JSON document. JSON has no infinity: an unbounded end is null, an infinite parameter
 * 'inf'. What is undefined is left out. Of a bound, `sound` is the verdict in general, `verdict` the one on
 * the value given, null where there is none.
 */
import { picked, type VariationRatio } from '@shuffle-dp/core';
import { type Account, accountCitations } from '@shuffle-dp/experiments/account';

export function accountJson(
  account: Account,
  { explain, cite }: { readonly explain: boolean; readonly cite: boolean },
): object {
  const { target, variationRatio } = account;
  const asked = 'delta' in target ? 'epsilon' : 'delta';
  return {
    mechanism: account.mechanism,
    parameters: finiteOrWord(account.parameters),
    ...picked(account, 'users', 'threats', 'hiding'),
    adjacency: 'replace-one',
    ...target,
    variationRatio: variationRatio && ratiosOf(variationRatio),
    printedVariationRatio: account.printedVariationRatio && ratiosOf(account.printedVariationRatio),
    [asked]: account.bracket,
    ...picked(account, 'sound', 'reason', 'coarse'),
    bounds: account.bounds.map((bound) => ({
      ...picked(bound, 'name', 'direction'),
      [asked]: bound.value,
      sound: bound.sound,
      reason: bound.value === Infinity ? 'no finite value' : bound.reason,
      ...picked(bound, 'verdict', 'counterexample', 'worst', 'parameters', 'source'),
      conditions: explain ? bound.conditions : undefined,
      citation: cite ? bound.citation : undefined,
    })),
    citations: cite ? accountCitations(account) : undefined,
  };
}

/** Parameters, of which an infinite one is the word 'inf'. */
export function finiteOrWord(parameters: Readonly<Record<string, number>>): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, value === Infinity ? 'inf' : value]),
  );
}

function ratiosOf({ p, beta, q }: VariationRatio): ReturnType<typeof finiteOrWord> {
  return finiteOrWord({ p, beta, q });
}
