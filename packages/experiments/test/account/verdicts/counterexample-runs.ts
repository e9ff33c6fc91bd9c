/** Counterexamples of refuted bounds, run as the commands that they name. */
import {
  countedSetting,
  personalizedBounds,
  publishedBounds,
  vectorResponseBound,
  type Counterexample,
} from '@shuffle-dp/accounting';
import { accountMechanism } from '../../../src/account/account.ts';
import { budgetList } from '../../../src/personalized/budget-list.ts';
import { personalizedAccount } from '../../../src/personalized/personalized-account.ts';

export interface Refuted {
  readonly bound: string;
  readonly counterexample: Counterexample;
}

const LEFTOVER = {
  users: 100,
  epsilon0: 1,
  amplification: { variationRatio: { p: Math.E, beta: 0.1, q: Math.E }, blanket: [], homogeneous: [] },
};

/** Every bound that is refuted in general, in each setting that gives it a counterexample of its own. */
export function refutedBounds(): Refuted[] {
  const single = [...publishedBounds, vectorResponseBound({ sampled: 2, keep: 0.9 })].map((bound) => ({
    bound: bound.name,
    counterexample: bound.verdict(LEFTOVER).counterexample,
  }));
  const budgets = Float64Array.of(1, 2);
  const personal = (['laplace', 'gaussian', 'clip-laplace'] as const).flatMap((mechanism) =>
    personalizedBounds.map((bound) => ({
      bound: bound.name,
      counterexample: bound.verdict(
        countedSetting({ budgets, mechanism, localDelta: mechanism === 'gaussian' ? 1e-10 : 0, clip: 1 }),
      ).counterexample,
    })),
  );
  const poisson = accountMechanism('poisson-blanket', { rate: 0.5, domain: 16, blankets: 1 }, 100, {
    delta: 1e-3,
  }).bounds.map(({ name, counterexample }) => ({ bound: name, counterexample }));
  const found = new Map<string, Refuted>();
  for (const { bound, counterexample } of [...single, ...personal, ...poisson]) {
    if (counterexample) found.set(`${bound} ${counterexample.command}`, { bound, counterexample });
  }
  return [...found.values()];
}

/** What the bound states there, and what a data set has at least: computed anew. */
export function runCounterexample({ bound, counterexample }: Refuted): { stated: number; atLeast: number } {
  const words = [...counterexample.command.matchAll(/"([^"]*)"|(\S+)/gu)].map(
    ([, quoted, plain]) => quoted ?? plain!,
  );
  const flags = new Map<string, string>();
  words.forEach((word, i) => {
    if (word.startsWith('--')) flags.set(word.slice(2), words[i + 1]!);
  });
  const take = (name: string): string => {
    const value = flags.get(name)!;
    flags.delete(name);
    return value;
  };
  const users = Number(take('users'));
  const delta = Number(take('delta'));
  if (words[0] === 'personalized') {
    const { bounds, epsilon } = personalizedAccount({
      budgets: budgetList(take('budgets'), users, 'budgets'),
      mechanism: take('mechanism') as 'laplace',
      delta,
      localDelta: Number(flags.get('local-delta') ?? 0),
      clip: 1,
      domain: Number(flags.get('domain') ?? 16),
      levels: 20,
    });
    return { stated: bounds.find(({ name }) => name === bound)!.epsilon!, atLeast: epsilon.lower };
  }
  const parameters = Object.fromEntries(
    [...flags].map(([name, value]) => [
      name.replace(/-(\w)/gu, (_, letter: string) => letter.toUpperCase()),
      Number(value),
    ]),
  );
  const account = accountMechanism(words[1]!, parameters, users, { delta });
  return {
    stated: account.bounds.find(({ name }) => name === bound)!.value!,
    atLeast: account.bracket.lower,
  };
}

/** Those of many users take seconds. */
export function isLong({ counterexample }: Refuted): boolean {
  return /--users [1-9]\d{5}/u.test(counterexample.command);
}
