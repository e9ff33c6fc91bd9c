import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeFailure, EXIT_USAGE, exitCodeOf } from '../../src/exit.ts';
import { buildProgram } from '../../src/main.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

async function printed(line: string): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  const words = line.split(' ');
  await (await buildProgram([words[0]!])).parseAsync(['node', 'shuffle-dp', ...words]);
  return lines.join('');
}

/** One line and exit code 2, or what went wrong instead. */
async function refusal(line: string): Promise<string> {
  try {
    await printed(line);
  } catch (error) {
    const message = describeFailure(error);
    return exitCodeOf(error) === EXIT_USAGE && !message.includes('\n') ? message : `no refusal: ${message}`;
  }
  return 'no refusal: it ran';
}

interface Document {
  readonly parameters: Readonly<Record<string, number>>;
  readonly epsilon: { readonly lower: number; readonly upper: number };
  readonly next: { readonly value: number; readonly epsilon: { readonly upper: number } };
}

describe('calibrate', () => {
  it('gives a budget that account certifies for the target', async () => {
    const found = JSON.parse(
      await printed('calibrate grr --domain 16 --users 10000 --epsilon 0.5 --delta 1e-6 --json'),
    ) as Document;
    expect(found).toMatchObject({
      mechanism: 'grr',
      users: 10_000,
      rounds: 1,
      target: { epsilon: 0.5, delta: 1e-6 },
      calibrated: 'epsilon0',
      side: 'largest',
      parameters: { domain: 16 },
    });
    const { epsilon0 } = found.parameters;
    const account = JSON.parse(
      await printed(`account grr --epsilon0 ${epsilon0} --domain 16 --users 10000 --delta 1e-6 --json`),
    ) as Document;
    expect(account.epsilon).toEqual(found.epsilon);
    expect(found.epsilon.upper).toBeLessThanOrEqual(0.5);
    expect(found.next.epsilon.upper).toBeGreaterThan(0.5);
  });

  it('has the word for a parameter that is infinite, as account has', async () => {
    const line = 'calibrate variation-ratio --p inf --beta 0.5 --users 1000 --epsilon 1 --delta 1e-6';
    expect(JSON.parse(await printed(`${line} --json`))).toMatchObject({
      parameters: { p: 'inf', beta: 0.5 },
    });
    expect(await printed(line)).toContain('variation-ratio (p inf, beta 0.5), 1000 users');
  });

  it('says on which side it ends', async () => {
    const text = await printed('calibrate cheu-zhilyaev --users 10001 --epsilon 0.5 --delta 1e-6');
    expect(text).toMatch(
      /^cheu-zhilyaev, 10001 users, delta 0\.000001, replace-one\nleast flip certified for epsilon 0\.5: 0\.\d+\n/u,
    );
    expect(text).toMatch(/\nthe next step, flip 0\.\d+, is not certified for the target: epsilon between/u);
  });

  it('says of a next value without any epsilon that there is none', async () => {
    const text = await printed('calibrate balcer-cheu --users 1000 --epsilon 5 --delta 1e-6');
    expect(text).toMatch(
      /is not certified for the target: no epsilon below 700 holds there, and none is proved\n$/u,
    );
  });

  it('says what is proved where an account may say something else', { tags: 'long' }, async () => {
    // An account says 4.4 % less of the value: docs/how-to/calibrate.md.
    const asked = 'vector-rr --bits 4 --users 500';
    const text = await printed(`calibrate ${asked} --epsilon 1 --delta 1e-6`);
    expect(text).toContain(
      'and 1 (proved)\nthe proof is for this epsilon itself; account searches for the least',
    );
    expect(text).toMatch(
      /may print\sless\sor\smore\nthe next step, keepProbability 0\.716\d+, is not proved to meet the\starget: epsilon/u,
    );
    expect(text).not.toMatch(/%|not certified/u);
    const [, keepProbability] = /certified for epsilon 1: ([\d.]+)/u.exec(text)!;
    const account = JSON.parse(
      await printed(`account ${asked} --keep-probability ${keepProbability} --delta 1e-6 --json`),
    ) as Document;
    expect(account.epsilon.upper).toBeLessThan(0.97);
  });

  it.each([
    ['gr --epsilon 1', 'did you mean grr?'],
    [
      'grr --epsilon0 1 --domain 4 --users 9 --epsilon 1 --delta 0.1',
      '--epsilon0 is the parameter to be found: leave it out',
    ],
    ['grr --users 9 --epsilon 1 --delta 0.1', '--domain is missing: number of categories'],
    [
      'grr --domain 4 --flip 0.1 --users 9 --epsilon 1 --delta 0.1',
      '--flip is not a parameter of grr, which',
    ],
    ['grr --domain 4 --epsilon 1 --delta 0.1', '--users is missing'],
    ['grr --domain 4 --users 9 --delta 0.1', '--epsilon is missing'],
    ['grr --domain 4 --users 9 --epsilon 1', '--delta is missing'],
    ['grr --domain 4 --users 9 --epsilon 1 --delta 1', '--delta = 1: must be in (0, 1)'],
    ['grr --domain 4 --users 9 --epsilon -1 --delta 0.1', '--epsilon = -1: must be'],
    ['grr --domain 4 --users 9 --epsilon 1 --delta 0.1 --rounds 0', 'Must be an integer from 1 to 1000000'],
    ['balcer-cheu --users 1000 --epsilon 0.001 --delta 1e-9', '--epsilon = 0.001: must be at least'],
  ])('refuses %s', async (line, expected) => {
    expect(await refusal(`calibrate ${line}`)).toContain(expected);
  });
});
