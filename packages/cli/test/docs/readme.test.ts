import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleBlocks, missingLine } from './console-blocks.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PROGRAM = join(ROOT, 'packages/cli/bin/shuffle-dp.mjs');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

const examples = consoleBlocks(readme);

describe('the examples of the README', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'readme-'));
    for (const name of ['configs', 'examples']) symlinkSync(join(ROOT, name), join(folder, name));
    const program = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
    writeFileSync(join(folder, 'shuffle-dp'), program, { mode: 0o755 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are there', () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
    expect(readme.match(/```console/gu)).toHaveLength(examples.length);
  });

  it.each(examples)('$command', async ({ command, output }) => {
    // Through a shell, as it is copied.
    const { stdout } = await promisify(execFile)('sh', ['-c', command], {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
      maxBuffer: 2 ** 26,
    });
    expect(missingLine(output, stdout), `in\n${stdout}`).toBeUndefined();
  });

  it('name commands that exist', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, '--help']);
    for (const [, name] of readme.matchAll(/`shuffle-dp ([a-z]+)[^`]*`/gu))
      expect(stdout).toContain(`  ${name}`);
  });
});
