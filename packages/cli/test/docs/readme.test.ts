import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAUNCHER } from '../program.ts';
import { consoleBlocks, missingLine } from './console-blocks.ts';
import { enterFolder, printedBy, ROOT } from './reader-pages.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

const [first, ...others] = consoleBlocks(readme);

describe('the examples of the README', () => {
  let folder: { readonly leave: () => void };
  beforeAll(() => {
    folder = enterFolder();
  });
  afterAll(() => folder.leave());

  it('are there', () => {
    expect(others.length).toBeGreaterThanOrEqual(5);
    expect(readme.match(/```console/gu)).toHaveLength(1 + others.length);
  });

  // The first one as it is copied: through a shell, with its threads and its report. Of the others each would
  // start the program anew.
  it(first!.command, async () => {
    writeFileSync('shuffle-dp', `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`, {
      mode: 0o755,
    });
    const { stdout } = await promisify(execFile)('sh', ['-c', first!.command], {
      env: { ...process.env, PATH: `${process.cwd()}:${process.env['PATH']}` },
    });
    expect(missingLine(first!.output, stdout), `in\n${stdout}`).toBeUndefined();
  });

  it.each(others.filter(({ long }) => !long))('$command', async ({ command, output }) => {
    const printed = await printedBy(command);
    expect(missingLine(output, printed), `in\n${printed}`).toBeUndefined();
  });

  it('of a forest has the row that it shows, grown alone', async () => {
    const { output } = others.find(({ command }) => command.includes('mixture-tree.yaml'))!;
    const config = readFileSync('configs/forest/mixture-tree.yaml', 'utf8');
    const six = config.replace(/^messagesPerUser: .*$/mu, 'messagesPerUser: 6');
    expect(six).not.toBe(config);
    writeFileSync('six.yaml', six);
    const printed = await printedBy('shuffle-dp forest six.yaml --trials 1 --quiet');
    expect(missingLine(output, printed), `in\n${printed}`).toBeUndefined();
  });

  it('name commands that exist', async () => {
    const printed = await printedBy('shuffle-dp --help');
    for (const [, name] of readme.matchAll(/`shuffle-dp ([a-z]+)[^`]*`/gu))
      expect(printed).toContain(`  ${name}`);
  });
});
