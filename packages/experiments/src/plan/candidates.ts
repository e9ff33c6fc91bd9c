/**
 * What a plan chooses from: every protocol of the registry that serves a task, with the variants that a
 * config may give it.
 */
import {
  FREQUENCY_PROTOCOLS,
  HEAVY_HITTER_PROTOCOLS,
  mayBeSharper,
  NUMBER_PROTOCOLS,
  SET_PROTOCOLS,
  VECTOR_PROTOCOLS,
  type FrequencyProtocolSpec,
  type HeavyHitterSpec,
  type NumberProtocolSpec,
  type ProtocolField,
  type SetProtocolSpec,
  type VectorProtocolSpec,
} from '@shuffle-dp/protocols';
import { requireOneOf, type Trust } from '@shuffle-dp/core';
import { certifiedFields, type CertifiedBy } from '../kinds/certified-spec.ts';
import { PLAN_TASKS, type PlanTask } from './plan-setting.ts';
import { tunedNumber } from './tuning/tuned-number.ts';

type AnySpec =
  FrequencyProtocolSpec | NumberProtocolSpec | SetProtocolSpec | VectorProtocolSpec | HeavyHitterSpec;

export interface Candidate {
  /** The name where the protocol cannot even be made. */
  readonly title: string;
  readonly trust: Trust;
  /**
   * Specs that differ in a number that only the error decides; the least is taken, and improved where such a
   * number is tuned.
   */
  readonly variants: readonly AnySpec[];
}

interface AnyCard {
  readonly kind: string;
  readonly title: string;
  readonly task: string;
  readonly trust?: Trust;
  readonly fields: readonly ProtocolField[];
}

const CARDS: Readonly<Record<PlanTask, readonly AnyCard[]>> = {
  frequencies: FREQUENCY_PROTOCOLS.filter(({ task }) => task === 'frequencies'),
  // Whoever estimates frequencies adds them up to ranges.
  ranges: FREQUENCY_PROTOCOLS,
  mean: NUMBER_PROTOCOLS,
  sum: NUMBER_PROTOCOLS,
  sets: SET_PROTOCOLS,
  'vector-mean': VECTOR_PROTOCOLS,
  'heavy-hitters': HEAVY_HITTER_PROTOCOLS,
};

/**
 * All protocols of a task, each with the variants among which `plan` chooses; one for each randomizer where a
 * protocol takes several.
 */
export function candidates(task: PlanTask): readonly Candidate[] {
  return CARDS[requireOneOf('task', task, PLAN_TASKS)].flatMap((card) =>
    named(card).map(({ title, spec }) => ({
      title,
      trust: card.trust ?? 'shuffler',
      variants: variantsOf(card, spec),
    })),
  );
}

/** One for each randomizer, or protocol of rounds, of a protocol that takes several. */
function named({ kind, title, fields }: AnyCard): { readonly title: string; readonly spec: object }[] {
  const made = fields.find(({ name }) => name === 'randomizer' || name === 'oracle');
  if (made?.type !== 'choice') return [{ title, spec: { kind } }];
  return made.choices.map((choice) => ({
    title: `${title}: ${choice}`,
    spec: { kind, [made.name]: choice },
  }));
}

/** What has no certified default, and few values that differ. */
const GRIDS: Readonly<Record<string, readonly (number | string)[]>> = {
  'range-queries branching': [2, 4, 8, 16, 64],
  'prefix-tree rounds': ['one', 'all'],
};

function variantsOf({ kind, fields }: AnyCard, spec: object): AnySpec[] {
  let specs: object[] = [{ ...spec, ...certifiedFields({ kind, fields }, firstBound(kind, spec)) }];
  for (const { name } of fields) {
    const grid = GRIDS[`${kind} ${name}`];
    if (grid) specs = specs.flatMap((each) => grid.map((value) => ({ ...each, [name]: value })));
  }
  const tuned = tunedNumber({ kind, ...spec });
  if (tuned)
    specs = tuned.first.map((value) => ({
      ...specs[0],
      ...(value !== undefined && { [tuned.field]: value }),
    }));
  return specs as AnySpec[];
}

/**
 * Noise on a line, whose calibrations by the sharp bound take seconds: `sharpenedRows` has those that may
 * lead.
 */
const TAKE_LONG: readonly unknown[] = ['laplace', 'clip-laplace', 'gaussian'];

/** The bound by which a candidate is first calibrated: the least of all where that is quick, and known. */
function firstBound(kind: string, spec: object): CertifiedBy {
  const takesLong = 'randomizer' in spec && TAKE_LONG.includes(spec.randomizer);
  return mayBeSharper(kind) && !takesLong ? 'sharpest' : 'blanket';
}
