/** What the program says where its output is handed on: results of real data, commands, refuted claims. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fileWord, shellWord } from '../src/options/shell-word.ts';
import { inside } from './inside.ts';

const folder = mkdtempSync(join(tmpdir(), 'handing-out-'));
const config = join(folder, 'few.yaml');
writeFileSync(
  config,
  'name: few\nseed: a\nadjacency: replace-one\nusers: all\ntrials: 3\nsimulation: aggregated\ndata: { kind: csv-categories, path: few.csv }\nprivacy: { epsilon: 1, delta: 1e-6 }\nprotocols: [{ kind: frequency, randomizer: grr }]\n',
);

writeFileSync(join(folder, 'few.csv'), '0\n1\n2\n3\n'.repeat(50));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function program(...words: string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { code, ...printed } = await inside(...words);
  expect(code).toBe(0);
  return printed;
}

describe('results of real data', () => {
  it('say what still holds the truth, and what several trials give away', async () => {
    const out = join(folder, 'results');
    const run = ['run', config, '--no-truth', '--no-report', '--workers', '0', '--out'];
    const { stderr } = await program(...run, out);
    expect(stderr).toContain(`${out}/journal.jsonl still holds the errors of the estimates`);
    expect(stderr).toContain('means of 3 trials on the same users: they give away as much as 3 rounds');
    // What theory expects of the users' data is a function of these.
    expect(readFileSync(join(out, 'summary.json'), 'utf8')).not.toMatch(/theory/iu);
    const [names, values] = readFileSync(join(out, 'results.csv'), 'utf8').split('\n');
    const named = names!.split(',').map((name, i) => ({ name, value: values!.split(',')[i] }));
    expect(named.filter(({ name, value }) => /theory|^mse|^error_/u.test(name) && value)).toEqual([]);
    // Whoever repeats the command gets no truth either.
    expect(readFileSync(join(out, 'summary.json'), 'utf8')).toMatch(
      /few\.yaml --no-truth # in the folder of the config"/u,
    );
    const some = await program(...run, join(folder, 'some'), '--set', 'users=3');
    expect(some.stderr).toContain('means of 3 trials on subsets of the same users');
    const once = await program(...run, join(folder, 'once'), '--trials', '1');
    expect(once.stderr).toContain('journal.jsonl');
    expect(once.stderr).not.toContain('rounds');
    const merged = await program('merge', out, '--no-truth', '--no-report', '--out', join(folder, 'merged'));
    expect(merged.stderr).toContain(`${join(folder, 'merged')}/journal.jsonl still holds`);
    // A merge of what was run with the truth leaves it out, and so does who repeats it.
    const known = ['run', config, '--no-report', '--workers', '0', '--out', join(folder, 'known')];
    await program(...known);
    const told = join(folder, 'told');
    await program('merge', join(folder, 'known'), '--no-truth', '--no-report', '--out', told);
    expect(readFileSync(join(told, 'summary.json'))).toEqual(readFileSync(join(out, 'summary.json')));
    const quiet = await program(...run, join(folder, 'quiet'), '--quiet');
    expect(quiet.stderr).toBe('');
  });
});

describe('a command to copy', () => {
  it.each([
    ['grr.json', 'grr.json'],
    ['out/a-b=1.json', 'out/a-b=1.json'],
    ['my file.json', "'my file.json'"],
    ["it's", String.raw`'it'\''s'`],
    ['$(x)', "'$(x)'"],
  ])('has %s as one word', (word, quoted) => {
    expect(shellWord(word)).toBe(quoted);
  });

  it.each([
    ['grr.json', 'grr.json'],
    ['-x.json', './-x.json'],
    ['-my file.json', "'./-my file.json'"],
  ])('has the file %s as one that is no flag', (file, word) => {
    expect(fileWord(file)).toBe(word);
  });
});

describe('an audit of a published bound', () => {
  it('says that a data set refutes it, where trials are too few to show it', async () => {
    const asked = 'audit grr --epsilon0 4 --domain 4 --users 100 --trials 1000 --deltas 1e-3 --workers 0';
    const audit = [...asked.split(' '), '--published'];
    const { stdout } = await program(...audit, 'variation-ratio');
    const text = stdout.replaceAll(/\s+/gu, ' ');
    expect(text).toContain(
      'variation-ratio is refuted here: a data set has epsilon at least 3.763 at delta 0.001',
    );
    expect(text).toContain('consistent: no excess over the claim of variation-ratio was found');
    const sound = await program(...audit, 'clone');
    expect(sound.stdout).not.toContain('refuted');
  });
});
