import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeFailure, EXIT_USAGE, exitCodeOf } from '../../src/exit.ts';
import { buildProgram } from '../../src/main.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

async function account(...args: string[]): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  await (await buildProgram(['account'])).parseAsync(['node', 'shuffle-dp', 'account', ...args]);
  return lines.join('');
}

/** One line and exit code 2, or what went wrong instead. */
async function refusal(line: string): Promise<string> {
  try {
    await account(...line.split(' '));
  } catch (error) {
    const message = describeFailure(error);
    return exitCodeOf(error) === EXIT_USAGE && !message.includes('\n') ? message : `no refusal: ${message}`;
  }
  return 'no refusal: it ran';
}

describe('account', () => {
  it('lists the bounds that have a value here, and below them the others, by what they lack', async () => {
    const text = await account('gaussian', '--sigma', '4', '--users', '1000', '--delta', '1e-6');
    const [table, , silent] = text.trim().split(/\n\n/u).slice(1);
    const rows = table!.split('\n').slice(2);
    expect(rows.map((row) => row.split(' ')[0])).toEqual([
      'sharp',
      'blanket',
      'homogeneous-data',
      'variation-ratio-lower',
    ]);
    for (const row of rows) expect(row).toMatch(/ (?:upper|lower) +\d/u);
    expect(silent).toMatch(/^Bounds that do not apply here:\n/u);
    expect(silent!.replaceAll(/\s+/gu, ' ')).toContain(
      ' clone, stronger-clone, renyi: needs a finite epsilon0 of at most 300',
    );
  });
});

describe('account refuses', () => {
  const common = '--users 1000 --delta 1e-6';
  it.each([
    [`gr --epsilon0 1 ${common}`, 'did you mean grr?'],
    [`grr --epsilon0 1 ${common}`, '--domain is missing: number of categories'],
    [`grr --epsilon0 1 --domain 4 --hash-range 3 ${common}`, '--hash-range is not a parameter of grr, which'],
    [`grr --epsilon0 1 --domain 2.5 ${common}`, '--domain = 2.5: must be an integer from 2 to 2097152'],
    [
      `grr --epsilon0 1 --domain 1e9 ${common}`,
      '--domain = 1000000000: must be an integer from 2 to 2097152',
    ],
    [`grr --epsilon0 1000 --domain 4 ${common}`, '--epsilon0 = 1000: must be in [1e-9, 300]'],
    [`grr --epsilon0 1e-300 --domain 4 ${common}`, '--epsilon0 = 1e-300: must be in [1e-9, 300]'],
    [`local-hash --epsilon0 1 --hash-range 4 ${common}`, '--hash-range = 4: must be a prime from 2 to 65521'],
    [
      `wheel --epsilon0 1 --items 70000 ${common}`,
      '--items = 70000: must be an integer from 1 to domain - 1 = 65535',
    ],
    [`hadamard --epsilon0 1 --order 2097152 ${common}`, '--order = 2097152: must be a power of two from 4'],
    ['grr --epsilon0 1 --domain 4 --users 1000 --delta 2', '--delta = 2: must be in [0, 1]'],
    [`grr --epsilon0 inf --domain 4 ${common}`, '--epsilon0 = inf: must be in [1e-9, 300]'],
    [`grr --epsilon0 0 --domain 4 ${common}`, 'epsilon0 = 0: must be'],
    ['grr --epsilon0 1 --domain 4 --delta 1e-6', '--users is missing'],
    ['grr --epsilon0 1 --domain 4 --users 1000', 'exactly one of --delta'],
    ['grr --epsilon0 1 --domain 4 --users 1000 --delta 0.1 --epsilon 1', 'exactly one of --delta'],
    ['grr --epsilon0 1 --domain 4 --users 1000 --delta 2', 'delta = 2: must be in [0, 1]'],
    ['grr --epsilon0 1 --domain 4 --users 1000 --delta -0.1', 'delta = -0.1: must be in [0, 1]'],
    ['grr --epsilon0 1 --domain 4 --users 1000 --epsilon -1', 'epsilon = -1: must be'],
    [`variation-ratio --p 1 --beta 0 --q 2 ${common}`, '--p = 1: must be in (1, inf]'],
    [
      `variation-ratio --p 3 --beta 0.6 --q 3 ${common}`,
      '--beta = 0.6: must be in [0, (p - 1) / (p + 1) = 0.5]',
    ],
    [`variation-ratio --p 3 --beta 0.2 --q 0.5 ${common}`, '--q = 0.5: must be in [1, inf)'],
    [
      `variation-ratio --p 3 --beta 0.5 --q 1 ${common}`,
      '--q = 1: must be at least 2 beta p / (p - 1) = 1.5',
    ],
    [`balls-into-bins --bins 16 --special 9 ${common}`, 'special = 9: must be an integer from 1 to bins / 2'],
    [`hadamard --epsilon0 1 --order 12 ${common}`, 'order = 12: must be a power of two'],
  ])('%s', async (line, message) => {
    expect(await refusal(line)).toContain(message);
  });
});

describe('account answers', () => {
  it('with one JSON document and nothing else', async () => {
    const text = await account(
      ...'grr --epsilon0 1 --domain 16 --users 10000 --delta 1e-6 --explain --cite --json'.split(' '),
    );
    const { epsilon, bounds, citations } = JSON.parse(text) as {
      epsilon: { lower: number; upper: number };
      bounds: { conditions: unknown[] }[];
      citations: { key: string }[];
    };
    expect(epsilon.upper / epsilon.lower - 1).toBeLessThan(1e-4);
    expect(bounds.every(({ conditions }) => conditions.length > 0)).toBe(true);
    expect(citations.map(({ key }) => key)).toContain('wang2024');
  });

  it('with a word on a delta of one in the number of users', async () => {
    const given = '--epsilon0 1 --domain 4 --users 1000 --delta'.split(' ');
    expect(await account('grr', ...given, '1e-3')).toContain('delta 0.001 is not below 1/users');
    expect(await account('grr', ...given, '9e-4')).not.toContain('1/users');
  });

  it('with the reason where no epsilon is proved', async () => {
    const given = 'pure-dump --bins 16 --users 50 --delta'.split(' ');
    expect((await account(...given, '1e-6')).replaceAll(/\s+/gu, ' ')).toContain(
      'no epsilon below 700 holds at this delta, and none is proved',
    );
    expect(await account(...given, '0.5')).not.toContain('holds at this delta');
  });

  it('with a delta where an epsilon is given, of a raw pair with an infinite ratio', async () => {
    const text = await account(
      ...'variation-ratio --p inf --beta 1 --q 16 --users 10000 --epsilon 0.1 --json'.split(' '),
    );
    expect(JSON.parse(text)).toMatchObject({
      epsilon: 0.1,
      sound: true,
      variationRatio: { p: 'inf', q: 16 },
    });
  });
});

describe('threats', () => {
  const epsilonOf = async (line: string): Promise<{ lower: number; upper: number }> =>
    (JSON.parse(await account(...line.split(' '), '--json')) as { epsilon: { lower: number; upper: number } })
      .epsilon;

  it('colluders hide nobody: fewer users give the same', async () => {
    const common = 'grr --epsilon0 2 --domain 4 --delta 1e-6';
    expect(await epsilonOf(`${common} --users 1000 --colluding 0.25`)).toEqual(
      await epsilonOf(`${common} --users 750`),
    );
  });

  it('users who stay away are told, and published bounds are left out', async () => {
    const given = 'grr --epsilon0 2 --domain 4 --users 1000 --delta 1e-6 --dropout 0.1'.split(' ');
    const text = await account(...given);
    expect(text).toContain('each other user stays away with probability 0.1');
    expect(text).not.toContain('stronger-clone');
    const json = JSON.parse(await account(...given, '--json')) as Record<string, unknown>;
    expect(json['threats']).toEqual({ colluding: 0, dropout: 0.1 });
    expect(json['hiding']).toBe(1000);
  });

  it('Poisson blankets of users who stay away are bounded by those who rarely do', async () => {
    const common = 'poisson-blanket --rate 0.5 --domain 16 --blankets 1 --delta 1e-6';
    const { lower, upper } = await epsilonOf(`${common} --users 1000 --dropout 0.2`);
    expect(lower).toBe(0);
    expect(upper).toBeGreaterThan((await epsilonOf(`${common} --users 800`)).upper);
    expect(upper).toBeLessThan((await epsilonOf(`${common} --users 700`)).upper);
  });
});
