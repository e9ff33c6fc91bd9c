import { describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import {
  negativeBinomialNoise,
  shiftedCountDivergence,
  signedCountDivergence,
  signedShareProfile,
  type NoiseLaw,
} from '@shuffle-dp/accounting';
import { createNumberProtocol, NUMBER_PROTOCOLS, type NumberProtocolSpec } from '../../src/index.ts';
import { describeNumberLaws, randomNumbers } from '../laws/number-laws.ts';

const setting = { users: 300, delta: 1e-4, epsilon: 1 };

describe.each([
  ['of both signs', setting, {}],
  ['of one sign', setting, { signs: 'plus' }],
  [
    'of one sign, negative binomial, on [2, 5]',
    { ...setting, range: { low: 2, high: 5 } },
    { signs: 'plus', dispersion: 2 },
  ],
  ['of both signs, of whom four fifths are counted on', setting, { honest: 0.8 }],
  ['of one sign, of whom half are counted on', setting, { signs: 'plus', honest: 0.5 }],
] as const)('anonymous counts %s', (_name, given, spec) => {
  const protocol = createNumberProtocol({ kind: 'anonymous-count', ...spec }, given);
  const range = 'range' in given ? given.range : { low: 0, high: 1 };
  describeNumberLaws({
    protocol,
    data: randomNumbers('anonymous', given.users, range),
    trials: 400,
    stages: ['messages'],
    alike: 'signs' in spec,
  });

  it('meets the target exactly with those who are counted on', () => {
    const honest = 'honest' in spec ? spec.honest : 1;
    const { epsilon } = protocol.threatenedPrivacy!({ colluding: 1 - honest })[0]!;
    expect(protocol.certifiedPrivacy()[0]!.epsilon.upper).toBeLessThanOrEqual(1 + 1e-9);
    expect(epsilon.upper).toBeLessThanOrEqual(1 + 1e-9);
    expect(epsilon.lower).toBeGreaterThan(0.999);
  });
});

describe.each([
  { kind: 'anonymous-count' },
  { kind: 'anonymous-count', signs: 'plus', honest: 0.9 },
  { kind: 'split-and-mix', honest: 0.9 },
] as const)('the messages of $kind by others than all', (spec) => {
  const whole = createNumberProtocol(spec, setting);
  const users = 200;
  const protocol = whole.sentBy!(users);
  const data = randomNumbers('others', users, { low: 0, high: 1 });
  describeNumberLaws({
    protocol,
    data,
    trials: 400,
    alike: 'signs' in spec,
    stages: whole.kind === 'split-and-mix' ? ['shares'] : ['messages'],
  });

  it('have a share of noise each, whoever takes part', () => {
    const noise = (worst: number, among: number): number => worst * among * among - among / 4;
    const [all, some] = [noise(whole.worstError!, 300), noise(protocol.worstError!, users)];
    expect(some / all).toBeCloseTo(users / 300, 6);
  });
});

it('anonymous counts cost a message for each one beside the noise', () => {
  const protocol = createNumberProtocol({ kind: 'anonymous-count' }, setting);
  const data = { kind: 'numbers', users: 300, values: new Float64Array(300).fill(0.2, 100) } as const;
  const sent: number[] = [];
  for (let trial = 0; trial < 400; trial++)
    protocol.run(data, RandomStream.fromSeed(`cost ${trial}`), 'messages', ({ messages }) =>
      sent.push(messages),
    );
  const mean = sent.reduce((sum, messages) => sum + messages, 0) / 400;
  const variance = sent.reduce((sum, messages) => sum + (messages - mean) ** 2, 0) / 400;
  const { messagesPerUser, bitsPerUser } = protocol.costOf!(data);
  // Fixed seed; false alarm 1e-5.
  expect(Math.abs(mean - 300 * messagesPerUser)).toBeLessThan(4.42 * Math.sqrt(variance / 400));
  expect(bitsPerUser).toBe(messagesPerUser);
  // 200 of 300 users have a one with probability 0.2; at most all have one.
  expect(protocol.cost().messagesPerUser - messagesPerUser).toBeCloseTo(1 - 40 / 300, 12);
});

it.each([30, 47, 50, 200])('anonymous counts run at a budget of %d', (epsilon) => {
  const protocol = createNumberProtocol({ kind: 'anonymous-count' }, { ...setting, epsilon });
  const data = { kind: 'numbers', users: 300, values: new Float64Array(300).fill(1) } as const;
  for (const path of protocol.paths)
    expect(protocol.run(data, RandomStream.fromSeed('no noise'), path)[0]).toBe(1);
});

describe('where users collude', () => {
  const make = (spec: object) => createNumberProtocol({ kind: 'anonymous-count', ...spec }, setting);
  const proved = (spec: object, colluding: number) =>
    make(spec).threatenedPrivacy!({ colluding })[0]!.epsilon;

  it('less noise of both signs than was planned for hides less, and ever less', () => {
    const uppers = [0.2, 0.21, 0.3, 0.5].map((colluding) => proved({ honest: 0.8 }, colluding).upper);
    expect(uppers[0]).toBeLessThanOrEqual(1 + 1e-9);
    expect(uppers.toSorted((a, b) => a - b)).toEqual(uppers);
    expect(new Set(uppers).size).toBe(4);
    expect(uppers[3]).toBeLessThan(10);
  });

  it('nothing is proved of it where its laws are too wide to be added up', () => {
    const wide = createNumberProtocol({ kind: 'anonymous-count' }, { ...setting, epsilon: 0.02 });
    expect(wide.threatenedPrivacy!({ colluding: 0.1 })[0]!.epsilon).toEqual({ lower: 0, upper: Infinity });
  });

  it('the target is met where those are left who are counted on, or more', () => {
    const { lower, upper } = proved({ honest: 0.8 }, 0.2);
    expect(upper).toBeLessThanOrEqual(1 + 1e-9);
    expect(lower).toBeGreaterThan(0.999);
    expect(proved({ honest: 0.8 }, 0.1)).toEqual({ lower: 0, upper });
  });

  it('where nobody colludes, the noise of all users counts, and lower ends are attained', () => {
    const spec = { signs: 'plus', dispersion: 3, honest: 0.5 };
    const protocol = make(spec);
    const { epsilon } = protocol.certifiedPrivacy()[0]!;
    const all = 2 * (protocol.parameters['noiseMean'] as number);
    expect(epsilon.upper).toBeLessThan(0.9);
    expect(movedByOne(all, 3, epsilon.lower)).toBeGreaterThan(setting.delta * (1 - 1e-6));
    expect(movedByOne(all, 3, epsilon.upper)).toBeLessThan(setting.delta * (1 + 1e-6));
    const both = make({ honest: 0.5 }).certifiedPrivacy()[0]!.epsilon;
    const shares = createNumberProtocol({ kind: 'split-and-mix', honest: 0.5 }, setting);
    expect([both.lower, shares.certifiedPrivacy()[0]!.epsilon.lower]).toEqual([0, 0]);
  });

  it('takes a share of epsilon for two signs alone', () => {
    expect(() => make({ signs: 'plus', share: 0.3 })).toThrow(
      "share = 0.3: must be left out where signs are 'plus'",
    );
  });

  it.each([1, 2])('one sign of dispersion %d: the divergence of the noise that is left', (dispersion) => {
    const spec = { signs: 'plus', dispersion };
    const mean = 0.7 * (make(spec).parameters['noiseMean'] as number);
    const { lower, upper } = proved(spec, 0.3);
    expect(upper - lower).toBeLessThan(1e-6);
    expect(upper).toBeGreaterThan(1.1);
    expect(movedByOne(mean, dispersion, lower)).toBeGreaterThan(setting.delta * (1 - 1e-6));
    expect(movedByOne(mean, dispersion, upper)).toBeLessThan(setting.delta * (1 + 1e-6));
  });

  it('those who collude by the setting are not counted on', () => {
    const protocol = createNumberProtocol({ kind: 'anonymous-count' }, { ...setting, colluding: 0.25 });
    expect(protocol.parameters['honest']).toBe(225);
    expect(protocol.threatenedPrivacy!({ colluding: 0.25 })[0]!.epsilon.upper).toBeLessThanOrEqual(1 + 1e-9);
  });
});

/** The larger order of a count with negative binomial noise and one with one more, from the definition. */
function movedByOne(mean: number, dispersion: number, epsilon: number): number {
  const success = 1 / dispersion;
  const size = (mean * success) / (1 - success);
  const f = new Float64Array(400);
  f[0] = success === 1 ? Math.exp(-mean) : success ** size;
  for (let k = 1; k < f.length; k++)
    f[k] = (f[k - 1]! * (success === 1 ? mean : (k - 1 + size) * (1 - success))) / k;
  const at = (k: number): number => f[k] ?? 0;
  let [up, down] = [0, 0];
  for (let k = 0; k <= f.length; k++) {
    up += Math.max(0, at(k - 1) - Math.exp(epsilon) * at(k));
    down += Math.max(0, at(k) - Math.exp(epsilon) * at(k - 1));
  }
  return Math.max(up, down);
}

describe('the divergence of signed counts', () => {
  it.each([
    [0.5, 1, 3, 0.5],
    [0.5, 1, 3, 0.8],
    [0.3, 0.4, 2, 1.3],
    [0.6, 0.5, 4, 0.2],
    [0.4, 0.7, 0.5, 0],
  ])(
    'a = %d, success %d, mean %d, epsilon %d: as the sum over both numbers',
    (ratio, success, mean, epsilon) => {
      const shared = negativeBinomialNoise(mean, success);
      const { lower, upper } = signedCountDivergence({ ratio, shared }, epsilon);
      const listed = overBothNumbers(ratio, shared, epsilon);
      expect(lower).toBeLessThanOrEqual(listed + 1e-10);
      expect(upper).toBeGreaterThanOrEqual(listed - 1e-10);
      expect(upper - lower).toBeLessThan(1e-9);
    },
  );

  it.each([
    // As sums over both numbers with 30 digits.
    [0.5, 3, 1, 0.5, 0.5, 0.39865101510946671],
    [0.6, 4, 2, 0.9, 1, 0.048678095029362293],
    [0.3, 2, 1, 0.2, 1.5, 0.65628348190014555],
  ])(
    'a = %d, mean %d, dispersion %d, a share %d left, epsilon %d',
    (ratio, mean, dispersion, share, epsilon, delta) => {
      const shared = negativeBinomialNoise(mean, 1 / dispersion);
      const { lower, upper } = signedShareProfile({ ratio, shared, share })!(epsilon);
      expect(lower).toBeLessThanOrEqual(delta);
      expect(upper).toBeGreaterThanOrEqual(delta);
      expect(upper - lower).toBeLessThan(1e-10);
    },
  );

  it('of nearly all noise is about that of all', () => {
    const count = { ratio: 0.45, shared: negativeBinomialNoise(20, 1 / 3) };
    const all = signedCountDivergence(count, 1).upper;
    expect(signedShareProfile({ ...count, share: 1 - 1e-9 })!(1).upper / all).toBeCloseTo(1, 7);
  });

  it.each([
    // epsilon 1, a = e^-0.7: the shared mean of dispersion 1/0.3, and a = e^-0.9 of dispersion 10.
    [0.7, 1 / 0.3, 1e-4, 57.5],
    [0.7, 1 / 0.3, 1e-6, 114.7],
    [0.9, 10, 1e-4, 145],
  ])('share %d, dispersion %d, delta %d needs a shared mean of %d', (share, dispersion, delta, mean) => {
    const protocol = createNumberProtocol(
      { kind: 'anonymous-count', share, dispersion },
      { users: 1000, delta, epsilon: 1 },
    );
    expect((protocol.parameters['sharedMean'] as number) / mean).toBeCloseTo(1, 1.8);
    // The noise is that of discrete Laplace noise, whatever the rest.
    const a = Math.exp(-share);
    expect(protocol.worstError! * 1e6 - 250).toBeCloseTo((2 * a) / (1 - a) ** 2, 6);
  });

  it.each([
    [2, 1, 17.3],
    [1, 1, 34.1],
    [1, 2, 34.8],
    [0.5, 1, 90.1],
    [0.5, 1 / 0.3, 68.8],
  ])('one sign: epsilon %d, dispersion %d needs a mean of %d', (epsilon, dispersion, mean) => {
    const protocol = createNumberProtocol(
      { kind: 'anonymous-count', signs: 'plus', dispersion },
      { users: 1000, delta: 1e-6, epsilon },
    );
    expect(Math.abs((protocol.parameters['noiseMean'] as number) - mean)).toBeLessThan(0.15);
    const law = negativeBinomialNoise(protocol.parameters['noiseMean'] as number, 1 / dispersion);
    expect(shiftedCountDivergence(law, 1, epsilon).upper).toBeLessThanOrEqual(1e-6);
  });
});

describe('the registry of numbers', () => {
  it('makes every protocol under its kind', () => {
    for (const { kind, title, task } of NUMBER_PROTOCOLS) {
      const spec = kind === 'mean' ? { kind, randomizer: 'laplace' } : { kind };
      const protocol = createNumberProtocol(spec as NumberProtocolSpec, { ...setting, delta: 1e-3 });
      expect(protocol.kind).toBe(kind);
      if (kind !== 'mean') expect(protocol.name).toBe(title);
      expect(task).toBe('mean');
      expect(Object.isFrozen(protocol)).toBe(true);
    }
    expect(() => createNumberProtocol({ kind: 'nope' } as never, setting)).toThrow(
      'kind = "nope": must be one of mean, fixed-point-mean, split-and-mix, anonymous-count',
    );
  });
});

/** From the definition: the larger of both orders, numbers cut off where next to nothing is left. */
function overBothNumbers(ratio: number, { first, logMass }: NoiseLaw, epsilon: number): number {
  const most = 110;
  const f = new Float64Array(most);
  logMass.forEach((log, i) => {
    if (first + i < most) f[first + i] = Math.exp(log);
  });
  const geometric = (k: number): number => (k < 0 ? 0 : (1 - ratio) * ratio ** k);
  const law = (x: number): number[] => {
    const masses: number[] = [];
    for (let u = 0; u < most; u++)
      for (let v = 0; v < most; v++) {
        let sum = 0;
        for (let z = 0; z <= Math.min(u, v); z++) sum += f[z]! * geometric(u - x - z) * geometric(v - z);
        masses.push(sum);
      }
    return masses;
  };
  const [one, none] = [law(1), law(0)];
  const excess = (p: number[], q: number[]): number =>
    p.reduce((sum, mass, i) => sum + Math.max(0, mass - Math.exp(epsilon) * q[i]!), 0);
  return Math.max(excess(one, none), excess(none, one));
}
