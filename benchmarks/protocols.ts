/** What a calibration and a trial of the protocols cost. */
import { RandomStream, sampleSubset, type SetValuedData } from '@shuffle-dp/core';
import {
  createFrequencyProtocol,
  createSetProtocol,
  levelCounts,
  type SetProtocolSpec,
} from '@shuffle-dp/protocols';
import { fastest, type BenchmarkRow } from './row.ts';

const SPECS: readonly SetProtocolSpec[] = [
  { kind: 'segmented', blanketRate: 0.3 },
  { kind: 'segmented', blanketRate: 0.3, blankets: 'poisson' },
  { kind: 'subexp-shuffled' },
  { kind: 'balls-into-bins' },
  { kind: 'weighted-sep-mm' },
];

function uniformSets(
  users: number,
  domain: number,
  itemsPerUser: number,
  shares: readonly number[],
): SetValuedData {
  const stream = RandomStream.fromSeed('benchmark data');
  const items = new Uint16Array(users * itemsPerUser);
  const chosen = new Uint32Array(itemsPerUser);
  const histogram = new Float64Array(domain);
  for (let u = 0; u < users; u++) {
    sampleSubset(itemsPerUser, domain, chosen, 0, stream);
    chosen.sort();
    items.set(chosen, u * itemsPerUser);
    for (const item of chosen) histogram[item] = histogram[item]! + 1;
  }
  const levelOf = new Uint8Array(users);
  let next = 0;
  levelCounts(users, shares).forEach((count, k) => levelOf.fill(k, next, (next += count)));
  return { kind: 'sets', users, domain, itemsPerUser, items, histogram, levelOf };
}

/** The largest local budget that meets the central target, certified. */
function frequencyRows(): BenchmarkRow[] {
  const setting = { users: 10_000, domain: 64, delta: 1e-6, epsilon: 0.5 };
  return (['grr', 'oue', 'subset', 'local-hash', 'hadamard'] as const).map((randomizer) => {
    const create = fastest(() => void createFrequencyProtocol({ kind: 'frequency', randomizer }, setting), 2);
    return {
      group: 'calibration, n = 10 000, d = 64',
      name: randomizer,
      value: create * 1e3,
      unit: 'ms',
    };
  });
}

export function rows(): BenchmarkRow[] {
  return [...frequencyRows(), ...setRows()];
}

function setRows(): BenchmarkRow[] {
  const setting = {
    users: 50_000,
    domain: 17,
    itemsPerUser: 4,
    delta: 0.01 / 50_000,
    levels: [0.5, 1, 2],
    shares: [0.25, 0.5, 0.25],
  };
  const data = uniformSets(setting.users, setting.domain, setting.itemsPerUser, setting.shares);
  const result: BenchmarkRow[] = [];
  for (const spec of SPECS) {
    const name = 'blankets' in spec ? `${spec.kind}, Poisson blankets` : spec.kind;
    const protocol = createSetProtocol(spec, setting);
    const stream = RandomStream.fromSeed(name);
    const repeat = (times: number, run: () => void) => () => {
      for (let i = 0; i < times; i++) run();
    };
    const create = fastest(() => void createSetProtocol(spec, setting));
    const messages = fastest(() => void protocol.run(data, stream, 'messages'));
    const aggregated = fastest(repeat(100, () => void protocol.run(data, stream, 'aggregated'))) / 100;
    result.push(
      { group: 'calibration, n = 50 000, d = 17', name, value: create * 1e3, unit: 'ms' },
      { group: 'trial by messages, n = 50 000, d = 17', name, value: messages * 1e3, unit: 'ms' },
      {
        group: 'trial by counts, n = 50 000, d = 17',
        name,
        value: aggregated * 1e6,
        unit: 'us',
        baseline: { name: 'by messages', value: messages * 1e6 },
        ratio: messages / aggregated,
      },
    );
  }
  return result;
}
