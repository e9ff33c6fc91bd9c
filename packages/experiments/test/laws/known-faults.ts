/**
 * Violations whose cause is known and lies in an accountant. Emptied as the causes are mended: an entry that excuses nothing any
 * more is itself a failure of the long suite.
 */
import type { Violation } from './violations.ts';

export interface KnownFault {
  readonly name: string;
  excuses(violation: Violation): boolean;
}

const targetDelta = ({ target }: Violation): number | undefined =>
  'delta' in target ? target.delta : undefined;

/** Relative distance of what is said from what it is held against. */
const distance = ({ value, against }: Violation): number => Math.abs(value / against - 1);

/** Nats of the local budget, by whichever parameter sets it. */
function budgetOf({ parameters }: Violation): number {
  const { epsilon0, separation, keepProbability, flip, bins, p } = parameters;
  if (keepProbability !== undefined) return 2 * (2 * keepProbability - 1);
  if (flip !== undefined) return Math.log(((1 - flip) * ((bins ?? 2) - 1)) / flip);
  return epsilon0 ?? separation ?? (p === undefined ? Infinity : Math.log(p));
}

export const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    name: 'A: a tail bound that underflows to 0 is taken as proved',
    excuses: (violation) => {
      const delta = targetDelta(violation);
      return violation.users >= 1e6 && (delta === undefined || delta < 1e-200);
    },
  },
  {
    name: 'B: the lower end of Poisson blankets where the others cannot avoid the items',
    excuses: ({ mechanism, law, parameters }) =>
      mechanism === 'poisson-blanket' && law.includes('lower') && parameters['domain']! < 3,
  },
  {
    name: 'D: the chance 1 - gamma that a slot shows nothing, and the pair taken as dominating, for caps of a millionth of a millionth',
    excuses: ({ mechanism, parameters }) => mechanism === 'priv-unit' && parameters['cap']! < 1e-9,
  },
  {
    name: 'E: the lower end of merged outputs drops a rest below 1e-9',
    excuses: ({ law, about, mechanism, value, against }) =>
      (about === 'variation-ratio-lower' ||
        // The bracket that it is in.
        (law === 'lower end <= truth' && Math.abs(value / against - 1) < 1e-9)) &&
      ['cheu-zhilyaev', 'mix-dump'].includes(mechanism),
  },
  {
    name: 'C: parameters of the pair refused by their inner name, where rounding leaves them out of range',
    excuses: ({ about }) => about.includes('ParameterError: r = 0.5000000'),
  },
  {
    name: 'C: e^epsilon0 - 1 without its digits',
    excuses: (violation) =>
      budgetOf(violation) <= 0.2 && violation.about !== 'blanket' && distance(violation) < 1e-5,
  },
];

/** Those that no entry excuses. */
export function unexplained(violations: readonly Violation[]): Violation[] {
  return violations.filter((violation) => !KNOWN_FAULTS.some((fault) => fault.excuses(violation)));
}
