import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CHECKPOINTS, checkpointsIn } from '../../src/run-folder/checkpoints.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-checkpoints-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('a checkpoint that is a folder, or leads to a device, is refused by its name', () => {
  const place = join(root, CHECKPOINTS);
  mkdirSync(join(place, 'folder.json'), { recursive: true });
  symlinkSync('/dev/null', join(place, 'device.json'));
  const { read } = checkpointsIn(root, '1');
  expect(() => read('folder')).toThrow(`${join(place, 'folder.json')}: cannot be read: it is a folder`);
  expect(() => read('device')).toThrow(`${join(place, 'device.json')}: cannot be read: it is no plain file`);
});
