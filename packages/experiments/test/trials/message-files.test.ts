// Files of messages: what a killed process left is removed by the next one, and nothing else is.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepBlock } from '../../src/trials/kept-block.ts';
import { MessageFiles } from '../../src/trials/message-files.ts';

let place: string;
const temporary = process.env['TMPDIR'];
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'message-files-'));
  process.env['TMPDIR'] = place;
});
afterEach(() => {
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
  rmSync(place, { recursive: true });
});

it('those of a process that is no more are removed by the next', () => {
  const own = new MessageFiles();
  const file = own.path('0-0');
  writeFileSync(file, 'messages');
  const [prefix, pid, begin, end] = /^(.*)-([0-9]+)-([0-9]*)-(.*)$/u.exec(basename(dirname(file)))!.slice(1);
  expect(pid).toBe(String(process.pid));
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const otherHost = prefix!.replace(/[0-9a-f]{12}$/u, '0123456789ab');
  const abandoned = [`${prefix}-${dead}-${begin}-${end}`, `${prefix}-${dead}--${end}`];
  // The number of the process is another's now, where the system says when processes began.
  if (begin !== '') abandoned.push(`${prefix}-${pid}-${Number(begin) + 1}-${end}`);
  const others = [`${otherHost}-${dead}-${begin}-${end}`, 'shuffle-dp-messages-Ab3dEf', 'something-else'];
  for (const folder of [...abandoned, ...others]) {
    mkdirSync(join(place, folder));
    writeFileSync(join(place, folder, '0-0'), 'messages');
  }
  const next = new MessageFiles();
  expect(readdirSync(place).sort()).toEqual([...others, basename(dirname(file))].sort());
  expect(existsSync(file)).toBe(true);
  expect(dirname(next.path('0-0'))).not.toBe(dirname(file));
  own.empty();
  next.empty();
  expect(readdirSync(place).sort()).toEqual(others.sort());
});

it('are not missed where there is no folder for them, and asked for are refused by its name', () => {
  process.env['TMPDIR'] = join(place, 'missing');
  const files = new MessageFiles();
  files.empty();
  expect(() => files.path('0-0')).toThrow(
    expect.objectContaining({
      code: 'disk-full',
      message: `${join(place, 'missing')}: cannot be written: no such file or folder`,
    }),
  );
});

it('messages that cannot be written name their file', () => {
  const file = join(place, 'missing', '0-0');
  const block = { columns: { value: Uint8Array.of(1) }, count: 1, bounds: Uint32Array.of(0, 1) };
  expect(() => keepBlock(block, file)).toThrow(`${file}: cannot be written: no such file or folder`);
});
