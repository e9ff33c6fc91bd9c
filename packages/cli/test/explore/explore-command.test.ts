/** `explore` through its launcher: it serves until it is stopped. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programIn, type Program } from '../program.ts';

let folder: string;
let program: Program;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'explore-command-'));
  program = programIn(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

it('says where it serves, serves the explorer there, and ends with 0 when it is stopped', async () => {
  const { child, ended } = program.start('explore', '--no-open', '--port', '0', '--json', '--quiet');
  const text = await new Promise<string>((resolve) => {
    let said = '';
    child.stdout!.on('data', (part: Buffer) => {
      said += part.toString();
      if (said.includes('}')) resolve(said);
    });
  });
  const { url, results } = JSON.parse(text) as { url: string; results: string };
  expect(results).toBe('results');
  expect(await (await fetch(url)).text()).toContain('<title>shuffle-dp explorer</title>');
  expect((await fetch(`${url}engines/account.js`)).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

it('refuses a port that is taken, and a results folder that is a file, in one line', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const taken = await program.cli('explore', '--no-open', '--port', String(port), '--quiet');
  other.close();
  expect(taken).toEqual({
    code: 2,
    stdout: '',
    stderr: `--port ${port}: is taken by another program; 0 takes any that is free\n`,
  });
  writeFileSync(join(folder, 'file'), '');
  const file = await program.cli('explore', '--no-open', '--results', 'file');
  expect(file).toEqual({ code: 2, stdout: '', stderr: '--results "file": must be a folder\n' });
});
