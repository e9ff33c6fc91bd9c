import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { planExperiment } from '../../src/cells/plan-experiment.ts';
import { golden, CATEGORIES, LAST_PROTOCOL, runFolder } from './run-fixture.ts';

const { root, run } = runFolder();

describe('a plan', () => {
  const plan = (text: string): ReturnType<typeof planExperiment> =>
    planExperiment(parseConfig(text, 'test.yaml'), 'test.yaml');

  it('refuses twins, delta out of range, and files that lack users', () => {
    expect(() => plan(golden.replace('[1, 4]', '[1, 1]'))).toThrow('test.yaml: protocols[0]');
    expect(() => plan(golden.replace('0.01/n', 'n'))).toThrow(
      'privacy.delta = "n": must be in (0, 1); it is 300 at n = 300, d = 19, s = 3',
    );
    const file = join(root, 'lists.csv');
    writeFileSync(file, '1 2\n3\n2 0 1\n');
    const lists = golden.replace(
      /data: .*/u,
      `data: { kind: csv-sets, path: ${file}, separator: ' ', items: 2 }`,
    );
    expect(() => plan(lists)).toThrow(
      'users[0] = 300: must be at most 3, the users of the file who can take part',
    );
    expect(plan(lists.replace('[300, 500]', 'all')).cells[0]!.data.users).toBe(3);
    expect(() => plan(lists.replace('[300, 500]', '[all, 3]'))).toThrow(
      'users[0] = "all": must be listed once: it is 3',
    );
    expect(() => plan(lists.replace('lists.csv', 'none.csv'))).toThrow(
      'cannot be read: no such file or folder',
    );
  });

  it('has another hash for other data under the same name, and the same for the same data elsewhere', () => {
    const write = (name: string, content: string): string => {
      writeFileSync(join(root, name), content);
      return golden
        .replace(/data: .*/u, `data: { kind: csv-sets, path: ${join(root, name)}, items: 2 }`)
        .replace('[300, 500]', 'all');
    };
    const first = plan(write('a.csv', '1,2\n3\n'));
    const moved = plan(write('b.csv', '1,2\n3\n'));
    const changed = plan(write('a.csv', '1,3\n3\n'));
    expect(moved.configHash).toBe(first.configHash);
    expect(moved.cells.map(({ id }) => id)).toEqual(first.cells.map(({ id }) => id));
    expect(changed.configHash).not.toBe(first.configHash);
    expect(changed.cells[0]!.id).not.toBe(first.cells[0]!.id);
  });

  it('has another hash for a changed module, and without modules the hash of before', () => {
    const module = join(root, 'own.mjs');
    const own = CATEGORIES + `  - { kind: own-randomizer, module: ${module} }\n`;
    const hashOf = (content: string): string => {
      writeFileSync(module, content);
      return plan(own).configHash;
    };
    const first = hashOf('export default 1;\n');
    expect(hashOf('export default 2;\n')).not.toBe(first);
    expect(hashOf('export default 1;\n')).toBe(first);
    expect(plan(CATEGORIES).configHash).toBe(
      '4973b8a13d001b1052ca1e40ca2e44027263063267e27d7a0609166f6606d0c1',
    );
  });

  it('has names that files, charts and terminals can have', () => {
    const file = join(root, 'escapes.csv');
    writeFileSync(file, 'fruit\n\u001B[31mapple\npear\n"two\nlines"\n');
    const categories = CATEGORIES.replace(
      /data: .*/u,
      `data: { kind: csv-categories, path: ${file}, column: fruit }`,
    ).replace(/users: .*/u, 'users: all');
    expect(plan(categories).itemNames?.toSorted()).toEqual([
      String.raw`\u001b[31mapple`,
      'pear',
      String.raw`two\u000alines`,
    ]);
  });

  it('names cells as before where ranges are not measured, and else otherwise', () => {
    const before = plan(CATEGORIES);
    const said = plan(`${CATEGORIES}measure: frequencies\n`);
    expect(said).toEqual(before);
    // The hash in journals of versions that knew no other measure.
    expect(plan(golden).configHash).toBe('a89d9f151fdcabc003c331797dc3bbacf8c64a91c5b1f4bd97018a15c28ef9a7');
    expect(JSON.stringify(before.cells)).not.toContain('measure');
    const ranges = plan(`${CATEGORIES}measure: ranges\n`);
    expect(ranges.configHash).not.toBe(before.configHash);
    ranges.cells.forEach((cell, i) => {
      expect(cell.id).not.toBe(before.cells[i]!.id);
      expect(cell.streamLabel).toBe(before.cells[i]!.streamLabel);
    });
  });

  it.each([['measure: ranges', 'measure ranges']])(
    'refuses %s on counts that are drawn one by one',
    { tags: 'long' },
    async (field, step) => {
      const example = new URL('../../../../examples/own-randomizer/abstaining-response.mjs', import.meta.url);
      writeFileSync(
        join(root, 'marginal.mjs'),
        `import example from ${JSON.stringify(example.href)};\n` +
          'export default (given) => ({ ...example(given), jointSupportCounts: false });\n',
      );
      // Of a large domain fewer messages are drawn to check the module, which each thread does.
      const text = CATEGORIES.replace('domain: 16', 'domain: 64')
        .replace('trials: 15', 'trials: 2')
        .replace('epsilon: [0.5, 1]', 'epsilon: 1')
        .replace(
          LAST_PROTOCOL,
          `  - { kind: own-randomizer, module: ${join(root, 'marginal.mjs')}, accounting: blanket }\n`,
        );
      await expect(run(`${text}${field}\n`)).rejects.toThrow(
        `test.yaml: protocols[1] (own-randomizer) at 2000 users: simulation = "aggregated": must be 'messages' to ${step}: without messages marginal.mjs draws its counts one by one`,
      );
      const [cell] = (await run(`${text}${field}\nsimulation: messages\n`)).cells.slice(-1);
      expect(cell!.mse).toBeGreaterThan(0);
    },
  );

  it('refuses parameters that a protocol refuses before any trial', async () => {
    const text = golden.replace('{ kind: subexp-local }', '{ kind: subexp-local, subsetSize: 400 }');
    await expect(run(text)).rejects.toThrow(
      /^test\.yaml: protocols\[1\] \(subexp-local\) at 300 users: subsetSize = 400: must be/u,
    );
  });
});
