import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RandomStream, type FrequencyOracle } from '@shuffle-dp/core';
import { twoSampleChiSquare } from '@shuffle-dp/core/testkit';
import { shuffle } from '@shuffle-dp/shuffler';
import {
  generalizedRandomizedResponse,
  hadamardResponse,
  localHashing,
  optimizedUnaryEncoding,
  subsetSelection,
  symmetricUnaryEncoding,
} from '@shuffle-dp/randomizers';
import { drawnFault, statedFault } from '../../src/run/oracle-checks.ts';
import { checkDraws, ownOracle, requireEstimate } from '../../src/run/own-randomizer.ts';

const EXAMPLE = fileURLToPath(
  new URL('../../../../examples/own-randomizer/abstaining-response.mjs', import.meta.url),
);

const histogramOf = (counts: readonly number[]): Float64Array => {
  const table = new Float64Array(30);
  // Cells of ten counts.
  for (const count of counts) table[Math.floor(count / 10)]!++;
  return table;
};

describe('the example of an own randomizer', () => {
  const [domain, users] = [4, 300];
  let oracle: FrequencyOracle;
  beforeAll(async () => {
    const { default: make } = (await import(EXAMPLE)) as { default: (parameters: object) => FrequencyOracle };
    oracle = make({ domain, epsilon0: 1.5, abstain: 0.3 });
  });
  const values = Uint32Array.from({ length: users }, (_, user) => (user < 200 ? 0 : 1 + (user % 3)));
  const histogram = Float64Array.of(200, 33, 33, 34);

  it('counts by messages as it does aggregated', () => {
    const byMessages: number[] = [];
    const aggregated: number[] = [];
    for (let trial = 0; trial < 600; trial++) {
      const stream = RandomStream.fromSeed(`trial ${trial}`);
      const messages = oracle.allocate(users);
      oracle.randomizeInto(values, messages, stream.fork('messages'));
      byMessages.push(oracle.supportCounts(shuffle(messages, stream.fork('shuffle')))[0]!);
      aggregated.push(oracle.sampleSupportCounts(histogram, stream.fork('aggregated'))[0]!);
    }
    // False alarm rate 1e-6.
    expect(twoSampleChiSquare(histogramOf(byMessages), histogramOf(aggregated)).pValue).toBeGreaterThan(1e-6);
  });

  it('tells accountants masses that sum to one', () => {
    const { blanket, homogeneous } = oracle.amplification();
    const sum = (masses: Float64Array): number => masses.reduce((total, mass) => total + mass, 0);
    for (const { victim0, victim1 } of [...blanket, ...homogeneous]) {
      expect(sum(victim0)).toBeCloseTo(1, 12);
      expect(sum(victim1)).toBeCloseTo(1, 12);
    }
    expect(sum(homogeneous[0]!.others)).toBeCloseTo(1, 12);
    expect(sum(blanket[0]!.others)).toBeLessThan(1);
  });
});

describe('a module', () => {
  let folder: string;
  let made = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'own-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const specOf = (content: string, extension = 'mjs') => {
    const module = join(folder, `module-${made++}.${extension}`);
    writeFileSync(module, content);
    return { kind: 'own-randomizer', module, digest: '', options: { shyness: 2 } } as const;
  };
  const load = (content: string, extension?: string) => ownOracle(specOf(content, extension), 4, 1);

  it.each([
    [
      'that is no JavaScript',
      'const a = 1;\nexport default (((;',
      "must be a module that can be loaded: line 2: SyntaxError: Unexpected token ';'",
    ],
    [
      'that fails as it is loaded',
      '\nnull.x; export default 3',
      "TypeError: Cannot read properties of null (reading 'x') (line 2)",
    ],
    ['without a default export', 'export const oracle = 3;', 'whose default export is a function'],
    [
      'that makes something else',
      'export default () => ({ allocate() {} });',
      'one whose oracle has randomizeInto',
    ],
    [
      'that refuses its options',
      "export default () => { throw new RangeError('too shy'); };",
      /^options = \{"shyness":2\}: must be what \S+ allows, given \{"domain":4,"epsilon0":1,"shyness":2\}: too shy$/u,
    ],
    [
      'whose factory fails',
      'export default () => {\n null.x; };',
      'one that makes an oracle of {"domain":4,"epsilon0":1,"shyness":2}: TypeError: Cannot read properties of null (reading \'x\') (line 2)',
    ],
  ])('%s is refused in one line', (_, content, reason) => {
    expect(() => load(content)).toThrow(reason);
  });

  it('of another domain than asked for is refused', () => {
    const body =
      'allocate, randomizeInto, amplification, supportCounts, estimate, variance, sampleSupportCounts';
    const content = `const [${body}] = Array(7).fill(() => 0); export default () => ({ domain: 5, epsilon0: 1, ${body} });`;
    expect(() => load(content)).toThrow('the domain and epsilon0 it was given');
  });

  /** The example with something in place of what it has, in a module that has no package to import from. */
  const changed = (change: string, extension = 'mjs') =>
    specOf(
      `${extension === 'cjs' ? 'module.exports =' : 'export default'} (p) => { const right = globalThis.rightOracle(p); return { ...right, ...(${change})(right) }; };`,
      extension,
    );
  beforeAll(async () => {
    const { default: make } = (await import(EXAMPLE)) as { default: (parameters: object) => FrequencyOracle };
    (globalThis as { rightOracle?: typeof make }).rightOracle = make;
  });
  afterAll(() => {
    delete (globalThis as { rightOracle?: unknown }).rightOracle;
  });

  it.each(['mjs', 'cjs'])('as .%s that is right is taken', (extension) => {
    const spec = changed('() => ({})', extension);
    const oracle = ownOracle(spec, 4, 1);
    expect(oracle.domain).toBe(4);
    expect(() => checkDraws(spec, oracle)).not.toThrow();
  });

  const masses = (change: string) =>
    `({ amplification }) => ({ amplification: () => { const profile = amplification(); const [atoms] = profile.blanket; (${change})(atoms); return profile; } })`;
  it.each([
    [
      'no masses',
      '() => ({ amplification: () => 7 })',
      'lists of masses, blanket (at least one) and homogeneous, not 7',
    ],
    ['an empty profile', '() => ({ amplification: () => ({}) })', 'not {}'],
    [
      'a mass twice',
      masses('({ victim0 }) => { victim0[0] *= 2; }'),
      'blanket[0] has masses victim0 that sum to 1, not 1.4',
    ],
    [
      'a blanket too large',
      masses('({ others }) => { others[0] *= 2; }'),
      "others no larger than the victim's masses",
    ],
    [
      'masses beyond the budget',
      masses('({ victim0, others }) => { victim0[0] += 0.05; victim0[1] -= 0.05; others.fill(0); }'),
      'within e^epsilon0',
    ],
    [
      'masses that hide what messages show',
      masses('({ victim0, victim1, others }) => { victim1.set(victim0); others.fill(0); }'),
      "tell the victim's values apart",
    ],
    ['equal support', '() => ({ supportProbability: { own: 0.5, other: 0.5 } })', 'own above other'],
    ['support beyond the budget', '() => ({ supportProbability: { own: 0.9, other: 0.1 } })', 'epsilon0 = 1'],
    ['no variance', '() => ({ variance: () => 0 })', 'variance(1000, 0.1) is positive, not 0'],
  ])('that states %s is refused', (_, change, reason) => {
    expect(() => ownOracle(changed(change), 4, 1)).toThrow(reason);
  });

  it.each([
    [
      'a word for estimates',
      "() => ({ estimate: () => 'hello' })",
      'estimate gives a Float64Array, not "hello"',
    ],
    [
      'estimates that are no numbers',
      '() => ({ estimate: () => Float64Array.of(NaN, 0, 0, 0) })',
      'finite numbers, not NaN',
    ],
    [
      'too few estimates',
      '() => ({ estimate: () => Float64Array.of(NaN) })',
      'for each of 4 categories, not 1',
    ],
    [
      'estimates of nothing',
      '() => ({ estimate: () => new Float64Array(4) })',
      'estimate gives 0.000 where 0.5000',
    ],
    [
      'support that its messages lack',
      '() => ({ supportProbability: { own: 0.3, other: 0.12 } })',
      'supportCounts gives what supportProbability says: of 10000 users, 5000 of them with category 0',
    ],
    [
      'other counts without messages',
      '({ sampleSupportCounts: draw }) => ({ sampleSupportCounts: (...given) => draw(...given).map((count) => 2 * count) })',
      'sampleSupportCounts gives what supportProbability says',
    ],
    [
      'messages that cannot be made',
      '() => ({ randomizeInto() { null.x; } })',
      'one that works: TypeError: Cannot read',
    ],
  ])('that draws %s is refused', (_, change, reason) => {
    const spec = changed(change);
    expect(() => checkDraws(spec, ownOracle(spec, 4, 1))).toThrow(reason);
  });

  it('whose estimate fails in a later trial is refused there', () => {
    expect(() => requireEstimate(changed('() => ({})'), Float64Array.of(0, Infinity), 2)).toThrow(
      'one whose estimate gives finite numbers, not Infinity',
    );
  });
});

it.each([
  generalizedRandomizedResponse,
  symmetricUnaryEncoding,
  optimizedUnaryEncoding,
  subsetSelection,
  localHashing,
  hadamardResponse,
])('%o passes the checks of own randomizers', (make) => {
  for (const domain of [2, 3, 300]) {
    for (const epsilon0 of [1e-3, 1, 30]) {
      const oracle = make({ domain, epsilon0 });
      expect([statedFault(oracle, domain, epsilon0), drawnFault(oracle)]).toEqual([null, null]);
    }
  }
});
