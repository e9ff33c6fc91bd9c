/**
 * What a calibration and a trial of the protocols cost, beside bisection with plain accountants and trials on
 * arrays.
 */
import { RandomStream, sampleSubset, type HeldSets } from '@shuffle-dp/core';
import {
  createFrequencyProtocol,
  createSetProtocol,
  levelCounts,
  type SetProtocol,
  type SetProtocolSpec,
} from '@shuffle-dp/protocols';
import {
  generalizedRandomizedResponse,
  hadamardResponse,
  localHashing,
  optimizedUnaryEncoding,
  subsetExponential,
  subsetSelection,
  type SubsetExponential,
} from '@shuffle-dp/randomizers';
import {
  plainBlanketRate,
  plainGroupDivergence,
  plainLocalBudget,
  plainPairBudget,
  plainPoissonDivergence,
  plainSendingRates,
} from './plain/calibration.ts';
import {
  plainItemTrial,
  plainSegmentedTrial,
  plainSeparateTrial,
  plainSubsetTrial,
} from './plain/set-trials.ts';
import { fastest, once, timeRow, type BenchmarkRow } from './row.ts';

function uniformSets(users: number, domain: number, items: number, shares: readonly number[]): HeldSets {
  const stream = RandomStream.fromSeed('benchmark data');
  const rows = new Uint16Array(users * items);
  const chosen = new Uint32Array(items);
  const histogram = new Float64Array(domain);
  for (let u = 0; u < users; u++) {
    sampleSubset(items, domain, chosen, 0, stream);
    chosen.sort();
    rows.set(chosen, u * items);
    for (const item of chosen) histogram[item] = histogram[item]! + 1;
  }
  const levelOf = new Uint8Array(users);
  let next = 0;
  levelCounts(users, shares).forEach((count, k) => levelOf.fill(k, next, (next += count)));
  return { kind: 'sets', users, domain, items, rows, histogram, levelOf };
}

/** The largest local budget that meets the central target, certified. */
function frequencyRows(): BenchmarkRow[] {
  const setting = { users: 10_000, domain: 64, delta: 1e-6, epsilon: 0.5 };
  const { domain } = setting;
  const randomizers = {
    grr: (epsilon0: number) => generalizedRandomizedResponse({ domain, epsilon0 }),
    oue: (epsilon0: number) => optimizedUnaryEncoding({ domain, epsilon0 }),
    subset: (epsilon0: number) => subsetSelection({ domain, epsilon0 }),
    'local-hash': (epsilon0: number) => localHashing({ domain, epsilon0 }),
    hadamard: (epsilon0: number) => hadamardResponse({ domain, epsilon0 }),
  };
  return (['grr', 'oue', 'subset', 'local-hash', 'hadamard'] as const).map((randomizer) => {
    const create = fastest(() => void createFrequencyProtocol({ kind: 'frequency', randomizer }, setting), 2);
    return timeRow('calibration, n = 10 000, d = 64', randomizer, 'ms', create, {
      name: 'bisection, transforms',
      seconds: once(() => void plainLocalBudget(randomizers[randomizer], setting)),
    });
  });
}

export function rows(): BenchmarkRow[] {
  return [...frequencyRows(), ...setRows()];
}

const SETTING = {
  users: 50_000,
  domain: 17,
  items: 4,
  delta: 0.01 / 50_000,
  levels: [0.5, 1, 2],
  shares: [0.25, 0.5, 0.25],
};

const BLANKET_RATE = 0.3;

/** A protocol, how one would first calibrate it, and how one would first run a trial of it. */
interface SetCase {
  readonly name: string;
  readonly spec: SetProtocolSpec;
  readonly calibrate: { readonly name: string; readonly run: () => unknown };
  readonly trial: (data: HeldSets, parameters: SetProtocol['parameters']) => unknown;
}

function setCases(): SetCase[] {
  const { users, domain, items, levels, shares, delta } = SETTING;
  const strictest = levels[0]!;
  const subsets = (epsilon0: number): SubsetExponential => subsetExponential({ domain, items, epsilon0 });
  const segmentedTrial: SetCase['trial'] = (data, { rates, blanketRate }) =>
    plainSegmentedTrial(data, rates as readonly number[], blanketRate as number);
  return [
    {
      name: 'segmented',
      spec: { kind: 'segmented', blanketRate: BLANKET_RATE },
      calibrate: {
        name: 'bisection, pairs of counts',
        run: () => plainSendingRates(SETTING, BLANKET_RATE, levels, plainGroupDivergence),
      },
      trial: segmentedTrial,
    },
    {
      name: 'segmented, Poisson blankets',
      spec: { kind: 'segmented', blanketRate: BLANKET_RATE, blankets: 'poisson' },
      calibrate: {
        name: 'bisection, transforms',
        run: () => plainSendingRates(SETTING, BLANKET_RATE, levels, plainPoissonDivergence),
      },
      trial: segmentedTrial,
    },
    {
      name: 'subexp-shuffled',
      spec: { kind: 'subexp-shuffled' },
      calibrate: {
        name: 'bisection, pairs of counts',
        run: () => plainPairBudget(subsets, { users, epsilon: strictest, delta }),
      },
      trial: (data, { epsilon0 }) => plainSubsetTrial(data, subsets(epsilon0 as number)),
    },
    {
      name: 'balls-into-bins',
      spec: { kind: 'balls-into-bins' },
      calibrate: {
        name: 'bisection, pairs of counts',
        run: () => plainBlanketRate(SETTING, strictest),
      },
      trial: (data, { blanketRate }) =>
        plainItemTrial(
          data,
          levels.map(() => 1),
          blanketRate as number,
        ),
    },
    {
      name: 'weighted-sep-mm',
      spec: { kind: 'weighted-sep-mm' },
      calibrate: {
        name: 'bisection, pairs of counts',
        run: () =>
          levelCounts(users, shares).map((count, k) =>
            plainBlanketRate({ ...SETTING, users: count }, levels[k]!),
          ),
      },
      trial: (data, { blanketRates }) => plainSeparateTrial(data, blanketRates as readonly number[]),
    },
  ];
}

function setRows(): BenchmarkRow[] {
  const data = uniformSets(SETTING.users, SETTING.domain, SETTING.items, SETTING.shares);
  return setCases().flatMap(({ name, spec, calibrate, trial }) => {
    const protocol = createSetProtocol(spec, SETTING);
    const stream = RandomStream.fromSeed(name);
    const create = fastest(() => void createSetProtocol(spec, SETTING));
    const messages = fastest(() => void protocol.run(data, stream, 'messages'), 20);
    const aggregated =
      fastest(() => {
        for (let i = 0; i < 100; i++) protocol.run(data, stream, 'aggregated');
      }) / 100;
    return [
      timeRow('calibration, n = 50 000, d = 17', name, 'ms', create, {
        name: calibrate.name,
        seconds: once(calibrate.run),
      }),
      timeRow('trial by messages, n = 50 000, d = 17', name, 'ms', messages, {
        name: 'arrays and closures',
        seconds: fastest(() => trial(data, protocol.parameters), 3),
      }),
      timeRow('trial by counts, n = 50 000, d = 17', name, 'us', aggregated, {
        name: 'by messages',
        seconds: messages,
      }),
    ];
  });
}
