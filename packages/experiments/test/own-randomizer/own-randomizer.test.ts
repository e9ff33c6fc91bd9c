import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RandomStream, type FrequencyOracle } from '@shuffle-dp/core';
import { twoSampleChiSquare } from '@shuffle-dp/core/testkit';
import { shuffle } from '@shuffle-dp/shuffler';
import { loadModule } from '../../src/own-module/load-module.ts';
import { checkModule, ownOracle, requireEstimate } from '../../src/own-randomizer/own-randomizer.ts';

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
  const specOf = (content: string, extension = 'mjs', options: Record<string, number> = { shyness: 2 }) => {
    const module = join(folder, `module-${made++}.${extension}`);
    writeFileSync(module, content);
    return { kind: 'own-randomizer', module, digest: '', options, timeLimit: 60 } as const;
  };
  const load = async (content: string, extension?: string) => {
    const spec = specOf(content, extension);
    await loadModule(spec.module);
    return ownOracle(spec, 4, 1);
  };

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
      'whose declared options are no list',
      'export const options = 3; export default () => 3;',
      'one whose export `options` is a list of names',
    ],
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
    [
      'that asks for a package that is not there',
      "import 'no-such-package';",
      "Cannot find package 'no-such-package'",
    ],
  ])('%s is refused in one line', async (_, content, reason) => {
    await expect(load(content)).rejects.toThrow(reason);
  });

  it('in TypeScript is refused with the line of its author', async () => {
    await expect(load('type A = number;\nexport default (((;', 'ts')).rejects.toThrow('line 2: SyntaxError:');
  });

  it('of another domain than asked for is refused', async () => {
    const body =
      'allocate, randomizeInto, amplification, supportCounts, estimate, variance, sampleSupportCounts';
    const content = `const [${body}] = Array(7).fill(() => 0); export default () => ({ domain: 5, epsilon0: 1, ${body} });`;
    await expect(load(content)).rejects.toThrow('the domain and epsilon0 it was given');
  });

  /** The example with something in place of what it has, in a module that has no package to import from. */
  const changed = async (change: string, extension = 'mjs') => {
    const spec = specOf(
      `${extension === 'cjs' ? 'module.exports =' : 'export default'} (p) => { const right = globalThis.rightOracle(p); p.shyness; return { ...right, ...(${change})(right) }; };`,
      extension,
    );
    await loadModule(spec.module);
    return spec;
  };
  beforeAll(async () => {
    const { default: make } = (await import(EXAMPLE)) as { default: (parameters: object) => FrequencyOracle };
    (globalThis as { rightOracle?: typeof make }).rightOracle = make;
  });
  afterAll(() => {
    delete (globalThis as { rightOracle?: unknown }).rightOracle;
  });

  it.each(['mjs', 'cjs', 'js', 'ts', 'mts'])('as .%s that is right is taken', async (extension) => {
    const spec = await changed('() => ({})', extension);
    expect(ownOracle(spec, 4, 1).domain).toBe(4);
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
  ])('that states %s is refused', async (_, change, reason) => {
    const spec = await changed(change);
    expect(() => ownOracle(spec, 4, 1)).toThrow(reason);
  });

  it.each([
    ['throws in a call', '() => ({ randomizeInto() { null.x; } })', 'one that works: TypeError: Cannot read'],
    [
      'loses messages',
      '({ randomizeInto }) => ({ randomizeInto(values, messages, stream) { randomizeInto(values, messages, stream); messages.count -= 5; } })',
      'one that works: randomizeInto gives 251 messages of 256 users',
    ],
  ])('that %s is refused', async (_, change, reason) => {
    const spec = await changed(change);
    expect(() => checkModule(spec, 4, 1)).toThrow(reason);
  });

  it('whose estimate fails in a later trial is refused there', async () => {
    const spec = await changed('() => ({})');
    expect(() => requireEstimate(spec, Float64Array.of(0, Infinity), 2)).toThrow(
      'one whose estimate gives finite numbers, not Infinity',
    );
  });

  it('that counts in the histogram it is given leaves that of the data', async () => {
    const spec = await changed(
      '({ sampleSupportCounts }) => ({ sampleSupportCounts: (histogram, stream) => { histogram.set(sampleSupportCounts(histogram, stream)); return histogram; } })',
    );
    const histogram = Float64Array.of(200, 33, 33, 34);
    ownOracle(spec, 4, 1).sampleSupportCounts(histogram, RandomStream.fromSeed('counts'));
    expect(histogram).toEqual(Float64Array.of(200, 33, 33, 34));
  });

  /** The right oracle, by way of what the test says. */
  const taking = (parameters: string, use: string, declared = '') =>
    `${declared} export default (${parameters}) => globalThis.rightOracle(${use});`;
  it.each([
    [
      'misspelt',
      taking('{ domain, epsilon0, abstain }', '{ domain, epsilon0, abstain }'),
      'abstian',
      'an option of',
      'which has abstain; did you mean abstain\\?',
    ],
    [
      'given to a module that has none',
      taking('{ domain, epsilon0 }', '{ domain, epsilon0 }'),
      'abstain',
      'which has none',
      '',
    ],
    [
      'read later',
      taking('p', '{ domain: p.domain, epsilon0: p.epsilon0, abstain: p.abstain }'),
      'abstain',
      null,
      '',
    ],
    [
      'looked for by its own name before',
      taking(
        'p',
        "{ domain: p.domain, epsilon0: p.epsilon0, abstain: Object.hasOwn(p, 'abstain') ? p.abstain : 0 }",
      ),
      'abstain',
      null,
      '',
    ],
    [
      'looked for among all names before',
      taking(
        'p',
        "{ domain: p.domain, epsilon0: p.epsilon0, abstain: Object.keys(p).at(-1) === 'abstain' ? p.abstain : 0 }",
      ),
      'abstain',
      null,
      '',
    ],
    [
      'copied with all others',
      taking('p', '{ ...p }'),
      'abstain',
      "which copies its parameters: export const options = .'abstain'.",
      '',
    ],
    [
      'copied and declared',
      taking('p', '{ ...p }', "export const options = ['abstain'];"),
      'abstain',
      null,
      '',
    ],
    [
      'not declared',
      taking('p', '{ ...p }', "export const options = ['abstain'];"),
      'abstian',
      'an option of',
      'did you mean abstain\\?',
    ],
  ])('with an option that is %s', async (_, content, option, reason, advice) => {
    const spec = specOf(content, 'mjs', { [option]: 0.2 });
    await loadModule(spec.module);
    // Of a large domain fewer messages are drawn.
    const check = () => checkModule(spec, 64, 1);
    if (reason === null) return expect(check).not.toThrow();
    expect(check).toThrow(new RegExp(`^options.${option} = 0.2: must be .*${reason}.*${advice}$`, 'u'));
  });
});
