/**
 * Rounds of a frequency protocol among groups of the users: what every search for heavy hitters is made of.
 */
import {
  interval,
  keptByKey,
  onDemand,
  type Cost,
  type PrivacyStatement,
  type ProtocolParameters,
  type RandomStream,
  type SimulationPath,
} from '@shuffle-dp/core';
import { createFrequencyProtocol, type FrequencyProtocolSpec } from '../registry.ts';
import type { FrequencyProtocol } from '../shuffle-protocol.ts';
import type { UserGroup } from './identifier-data.ts';
import { nameOfRounds } from './rounds-by.ts';

export interface RoundsSetting {
  readonly oracle: FrequencyProtocolSpec;
  readonly epsilon: number;
  readonly delta: number;
}

/** The plan of one round: how many take part, and what they are asked. */
export interface PlannedRound {
  readonly users: number;
  readonly domain: number;
}

export interface FrequencyRounds {
  /** Estimated frequencies of the categories, among those who take part. */
  run(
    round: PlannedRound,
    group: UserGroup,
    categoryOf: (identifier: number) => number,
    path: SimulationPath,
    stream: RandomStream,
  ): Float64Array;
  readonly protocols: () => readonly FrequencyProtocol[];
  /** Of one of so many users, on average; divided once, so that one message each is one. */
  costAmong(users: number): Cost;
  /** Those of a search, with the name of the protocol of its rounds and the numbers that these have. */
  parametersWith(own: ProtocolParameters): ProtocolParameters;
}

/** Protocols are made once for rounds of one size. */
export function frequencyRounds(setting: RoundsSetting, rounds: readonly PlannedRound[]): FrequencyRounds {
  const { oracle, epsilon, delta } = setting;
  const made = keptByKey<FrequencyProtocol>();
  const protocolOf = ({ users, domain }: PlannedRound): FrequencyProtocol =>
    made(`${users} ${domain}`, () => createFrequencyProtocol(oracle, { users, domain, epsilon, delta }));
  const protocols = onDemand(() => rounds.map(protocolOf));
  return {
    run(round, group, categoryOf, path, stream) {
      const { users, domain } = round;
      const histogram = new Float64Array(domain);
      const common = { kind: 'categories', users, domain, histogram } as const;
      if (path === 'aggregated') {
        const { identifiers, holders } = group.counts();
        identifiers.forEach((identifier, i) => {
          if (holders[i]! > 0) histogram[categoryOf(identifier)]! += holders[i]!;
        });
        return protocolOf(round).run(common, stream, path);
      }
      const values = Uint32Array.from(group.values!, categoryOf);
      for (const value of values) histogram[value]!++;
      return protocolOf(round).run({ ...common, values }, stream, path);
    },
    protocols,
    costAmong(users) {
      const costs = protocols().map((protocol) => protocol.cost());
      const total = (name: keyof Cost): number =>
        costs.reduce((sum, cost, i) => sum + rounds[i]!.users * cost[name], 0);
      return {
        messagesPerUser: total('messagesPerUser') / users,
        bitsPerUser: total('bitsPerUser') / users,
      };
    },
    parametersWith: (own) =>
      Object.freeze({ oracle: nameOfRounds(setting.oracle), ...own, ...numbersOfRounds(protocols()) }),
  };
}

/** Under their names with "round" before them: one number that all rounds share, or one for each. */
function numbersOfRounds(protocols: readonly FrequencyProtocol[]): ProtocolParameters {
  const all = protocols.map(({ parameters }): ProtocolParameters => parameters);
  return Object.fromEntries(
    Object.entries(all[0]!).flatMap(([name, first]) => {
      if (typeof first !== 'number') return [];
      const values = all.map((parameters) => parameters[name] as number);
      const ofRound = `round${name[0]!.toUpperCase()}${name.slice(1)}`;
      return [[ofRound, values.every((value) => value === first) ? first : values]];
    }),
  );
}

/** Each user takes part in one round: the worst of them is what the whole gives. */
export function privacyOfOneRoundEach(protocols: readonly FrequencyProtocol[]): PrivacyStatement {
  const statements = [...new Set(protocols)].map((protocol) => protocol.certifiedPrivacy()[0]!);
  const [first] = statements;
  return Object.freeze({
    ...first!,
    epsilon: interval(
      Math.max(...statements.map(({ epsilon }) => epsilon.lower)),
      Math.max(...statements.map(({ epsilon }) => epsilon.upper)),
    ),
    theorem: `${first!.theorem}; each user takes part in one round, and later questions follow from earlier answers`,
    unit: 'one user, all their messages',
    view: `${first!.view}, of each round apart, and who takes part in which`,
  });
}

/** Everyone takes part in all rounds, each at an equal share of epsilon and delta: basic composition. */
export function privacyOfAllRounds(protocols: readonly FrequencyProtocol[], delta: number): PrivacyStatement {
  const statements = protocols.map((protocol) => protocol.certifiedPrivacy()[0]!);
  const [first] = statements;
  const upper = statements.reduce((sum, { epsilon }) => sum + epsilon.upper, 0);
  return Object.freeze({
    ...first!,
    delta,
    epsilon: interval(0, upper),
    theorem: `${first!.theorem}; basic composition of ${protocols.length} rounds`,
    unit: 'one user, all their messages of all rounds',
    view: `${first!.view}, of each round apart`,
  });
}
