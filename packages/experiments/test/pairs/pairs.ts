/**
 * Every pair of a task and a protocol, by the registries: a new card, a new measure or a new kind of data is
 * here without being added.
 */
import { RunningMoments, type SimulationPath } from '@shuffle-dp/core';
import type { ProtocolField } from '@shuffle-dp/protocols';
import { parseConfig } from '../../src/config/load-config.ts';
import { MEASURES } from '../../src/config/measures.ts';
import { PROTOCOL_CARDS } from '../../src/config/protocol-cards.ts';
import type { Holding } from '../../src/data/data-set-card.ts';
import { openDataSource } from '../../src/data/data-sets.ts';
import type { Cell } from '../../src/kinds/cell.ts';
import { kindOf } from '../../src/kinds/kinds.ts';
import { cellProtocol } from '../../src/trials/cell-protocol.ts';
import { planExperiment } from '../../src/cells/plan-experiment.ts';
import { drawData, runTrial } from '../../src/trials/trial.ts';

export interface Pair {
  readonly name: string;
  readonly config: object;
  /** Those that the protocol has for what is measured. */
  readonly paths: readonly SimulationPath[];
}

const TARGET = { epsilon: 3, delta: 0.01 };
/** Few users, so that trials are quick; one data set of each kind, and what else its tasks need. */
const SETTINGS: { readonly [Held in Holding]: object } = {
  categories: { data: { kind: 'categories-zipf', domain: 4 }, users: 120 },
  sets: {
    data: { kind: 'sets-zipf', domain: 6, items: 2, sizes: [0.4, 0.3, 0.2, 0.1], padding: 'fill' },
    users: 120,
    privacy: { levels: [3, 5], shares: [0.5, 0.5], delta: 0.05 },
  },
  numbers: { data: { kind: 'numbers-gaussian-bump', low: -3, high: 5, points: 11 }, users: 120 },
  'key-values': { data: { kind: 'key-values-zipf', domain: 4, items: 2, low: -1, high: 1 }, users: 400 },
  vectors: { data: { kind: 'vectors-sphere', dimensions: 3 }, users: 60 },
  places: { data: { kind: 'places-clusters', grid: 2 }, users: 60 },
  identifiers: {
    data: { kind: 'identifiers-zipf', bits: 8, different: 12, exponent: 2 },
    users: 400,
    top: 3,
  },
};

/** What is given so that nothing is searched for, or because it has no default. */
const GIVEN: Readonly<Record<string, object>> = {
  segmented: { blanketRate: 2 },
  'fixed-point-mean': { steps: 4 },
  // Of one bit.
  'balcer-cheu': { data: { kind: 'categories-zipf', domain: 2 } },
};

/** Local budgets and noise that are set by hand, by the randomizer. */
const NOISE: Readonly<Record<string, object>> = { gaussian: { sigma: 1 } };

interface Card {
  readonly kind: string;
  readonly dataKind: Holding;
  readonly setByTarget: string;
  readonly fields: readonly ProtocolField[];
}

/** @throws ConfigError where a card cannot be run as it is: what it needs belongs into GIVEN */
export function everyPair(): Pair[] {
  const cards: readonly Card[] = PROTOCOL_CARDS;
  return cards.flatMap((card) =>
    MEASURES[card.dataKind].flatMap((measure) =>
      choicesOf(card).map((choice): Pair => {
        const { data, ...given } = { ...GIVEN[card.kind] } as { readonly data?: object };
        const single = card.setByTarget === 'local budget' && card.dataKind !== 'identifiers';
        const noise = NOISE[Object.values(choice)[0] ?? ''] ?? { epsilon0: 3 };
        const config = {
          name: 'pairs',
          // Measures of one protocol are to be independent of each other.
          seed: `pairs ${measure}`,
          adjacency: 'replace-one',
          trials: 1,
          measure,
          privacy: single ? { delta: TARGET.delta } : TARGET,
          ...SETTINGS[card.dataKind],
          ...(data && { data }),
          protocols: [{ kind: card.kind, ...choice, ...given, ...(single ? noise : {}) }],
        };
        const { paths, jointPaths } = kindOf(card.dataKind).protocolOf(cellOf(config, 'messages'));
        return {
          name: [card.dataKind, measure, card.kind, ...Object.values(choice)].join(' '),
          config,
          paths: measure === 'ranges' ? jointPaths : paths,
        };
      }),
    ),
  );
}

/** One for each randomizer where a protocol takes several. */
function choicesOf({ fields }: Card): Readonly<Record<string, string>>[] {
  const required = fields.find((field) => field.type === 'choice' && field.required);
  if (required?.type !== 'choice') return [{}];
  return required.choices.map((choice) => ({ [required.name]: choice }));
}

function cellOf(config: object, simulation: SimulationPath): Cell {
  return planExperiment(parseConfig(JSON.stringify({ ...config, simulation }), 'pairs.yaml'), 'pairs.yaml')
    .cells[0]!;
}

export interface MeasuredPair {
  /** Squared error less what theory expects of the trial's data; null where no closed form is known. */
  readonly excess: RunningMoments | null;
  /** By item: of the errors, and of their squares. */
  readonly errors: readonly RunningMoments[];
  readonly squares: readonly RunningMoments[];
}

export function measured({ config }: Pair, path: SimulationPath, trials: number): MeasuredPair {
  const cell = cellOf(config, path);
  const protocol = cellProtocol(cell);
  const source = openDataSource(cell.data.config, cell.data.file);
  const items = Array.from({ length: cell.data.domain });
  const errors = items.map(() => new RunningMoments());
  const squares = items.map(() => new RunningMoments());
  const excess = new RunningMoments();
  for (let number = 0; number < trials; number++) {
    const data = drawData(source, cell.data, number);
    const onAnswer = (estimates: Float64Array, empirical: Float64Array): void =>
      estimates.forEach((estimate, i) => {
        errors[i]!.add(estimate - empirical[i]!);
        squares[i]!.add((estimate - empirical[i]!) ** 2);
      });
    const { squaredError, expectedError } = runTrial(cell, protocol, data, { number }, { onAnswer });
    excess.add(squaredError - expectedError);
  }
  return { excess: Number.isNaN(excess.mean) ? null : excess, errors, squares };
}
