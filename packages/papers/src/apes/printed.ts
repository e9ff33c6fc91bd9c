/** What Tables 3 and 4 of Y. Liu et al., "Echo of Neighbors", AAAI 2023, print. */
export const SHUFFLED_KINDS = ['uni-shuffle', 'apes', 's-apes'] as const;

export type ShuffledKind = (typeof SHUFFLED_KINDS)[number];

/** What the paper calls the frameworks of `learn`. */
export const PAPER_NAMES: Readonly<Record<string, string>> = {
  'non-private': 'Non-private',
  'ldp-min': 'LDP-min',
  pldp: 'PLDP',
  'uni-shuffle': 'UniS',
  apes: 'APES',
  's-apes': 'S-APES',
};

interface PrintedFramework {
  /** Central epsilon of a user. */
  readonly user: number;
  /** In per cent. */
  readonly accuracy: number;
}

/** By distribution of budgets. For UniS at Uniform2 Table 3 has 76.9 and Table 4 79.6; the former is here. */
export const PRINTED_SHUFFLED: Readonly<Record<string, Readonly<Record<ShuffledKind, PrintedFramework>>>> = {
  Uniform1: shuffled([17.4, 15.5, 8.5], [75.64, 78.77, 75.7]),
  Gauss1: shuffled([17.4, 15.3, 8.5], [63.77, 78.33, 56.64]),
  MixGauss1: shuffled([17.5, 15.4, 8.5], [67.75, 79.06, 77.01]),
  Uniform2: shuffled([76.9, 57.6, 25.6], [77.54, 79.67, 78.14]),
  Gauss2: shuffled([76.9, 52.7, 23.6], [64.81, 79.29, 73.4]),
  MixGauss2: shuffled([76.9, 53.7, 23.9], [73.84, 79.97, 76.12]),
};

function shuffled(
  users: readonly [number, number, number],
  accuracies: readonly [number, number, number],
): Record<ShuffledKind, PrintedFramework> {
  const of = (i: 0 | 1 | 2): PrintedFramework => ({ user: users[i], accuracy: accuracies[i] });
  return { 'uni-shuffle': of(0), apes: of(1), 's-apes': of(2) };
}

/** Table 3, budgets Uniform2: central epsilon of a dimension and of a user, accuracy in per cent. */
export const PRINTED_TABLE_3 = [
  { kind: 'non-private', dimension: null, user: null, accuracy: 84.35 },
  { kind: 'ldp-min', dimension: 0.05, user: 40.1, accuracy: 56.11 },
  { kind: 'pldp', dimension: 1, user: 7850, accuracy: 77.54 },
  { kind: 'uni-shuffle', dimension: 0.069, user: 76.9, accuracy: 77.54 },
  { kind: 'apes', dimension: 0.057, user: 57.6, accuracy: 79.67 },
  { kind: 's-apes', dimension: 0.057, user: 25.6, accuracy: 78.14 },
] as const;
