/**
 * What an audit needs of a randomizer: messages of given inputs as the program draws and shuffles them, and
 * how likely each is by the law that is stated.
 */
import {
  onceEach,
  ParameterError,
  type FrequencyOracle,
  type MeanRandomizer,
  type RandomStream,
  type ShuffledMessages,
} from '@shuffle-dp/core';
import { shuffle } from '@shuffle-dp/shuffler';

/** Inputs by number, as the randomizer knows them. */
export interface InputTriple {
  readonly first: number;
  readonly second: number;
  /** A third one; the first where there are only two. */
  readonly third: number;
}

export interface AuditedMessages {
  /** The victim's two inputs and a third one: in turn, so that each input is looked at. */
  readonly triples: readonly InputTriple[];
  /** Whether `third` differs from the victim's two. */
  readonly hasThird: boolean;
  /**
   * Messages of users with these inputs, as the adversary sees them. They are valid until the next call.
   * @returns for an input the stated probability, or density, of message i
   */
  draw(inputs: Float64Array, stream: RandomStream): (input: number) => Likelihood;
}

/** Of message i. */
export type Likelihood = (i: number) => number;

/** Pairs of categories that are looked at, at most. */
const MOST_PAIRS = 16;
/** Messages of one column below this are looked up. */
const MOST_TABLED = 2 ** 16;

/** Neighbouring categories, from the last one down, where faults of loops are. */
export function inputTriples(domain: number): InputTriple[] {
  const pairs = Math.min(domain, MOST_PAIRS);
  const step = Math.floor(domain / pairs);
  return Array.from({ length: pairs }, (_, j) => {
    const first = domain - 1 - j * step;
    return { first, second: (first + 1) % domain, third: (first + 2) % domain };
  });
}

export type Shuffling = typeof shuffle;

/**
 * @param deliver what stands between users and adversary @throws ParameterError where messages have no stated
 * probability
 */
export function categoryMessages(oracle: FrequencyOracle, deliver: Shuffling = shuffle): AuditedMessages {
  const { domain } = oracle;
  const triples = inputTriples(domain);
  if (oracle.logProbability === undefined)
    throw new ParameterError('mechanism', oracle.name, 'one whose messages have a stated logProbability');
  let messages = oracle.allocate(0);
  let values = new Uint32Array(0);
  /** By input. */
  const tableOf = onceEach(() => new Float64Array(MOST_TABLED).fill(NaN));
  return {
    triples,
    hasThird: domain > 2,
    draw(inputs, stream) {
      if (values.length !== inputs.length) {
        values = new Uint32Array(inputs.length);
        messages = oracle.allocate(inputs.length);
      }
      values.set(inputs);
      oracle.randomizeInto(values, messages, stream);
      const seen: ShuffledMessages = deliver(messages, stream);
      const columns = Object.values(seen.columns);
      const row = columns.map(() => 0);
      const [column] = columns;
      return (input) => {
        const computed = (i: number): number => {
          for (let c = 0; c < columns.length; c++) row[c] = columns[c]![i]!;
          return Math.exp(oracle.logProbability!(row, input));
        };
        if (columns.length > 1 || column === undefined) return computed;
        const table = tableOf(input);
        return (i) => {
          const message = column[i]!;
          if (!(message < MOST_TABLED)) return computed(i);
          const known = table[message]!;
          return Number.isNaN(known) ? (table[message] = computed(i)) : known;
        };
      };
    },
  };
}

/** Numbers: the ends of the range for the victim, and its middle. */
export function numberMessages(randomizer: MeanRandomizer): AuditedMessages {
  const { low, high } = randomizer.inputRange;
  let messages = randomizer.allocate(0);
  return {
    triples: [{ first: low, second: high, third: low + (high - low) / 2 }],
    hasThird: true,
    draw(inputs, stream) {
      if (messages.columns.value.length < inputs.length) messages = randomizer.allocate(inputs.length);
      randomizer.randomizeInto(inputs, messages, stream);
      const { value } = shuffle(messages, stream).columns;
      return (input) => (i) => randomizer.density(value[i]!, input);
    },
  };
}
