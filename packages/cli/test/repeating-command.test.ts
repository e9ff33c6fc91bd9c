/** The command that a report gives for repeating it. */
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { repeatingCommand } from '../src/run-config.ts';

it('names a config by its place in the folder', () => {
  const overrides = { trials: 7, seed: "it's mine", set: ['users=10'] };
  expect(repeatingCommand('run', join('configs', 'quick.yaml'), overrides)).toBe(
    String.raw`shuffle-dp run configs/quick.yaml --trials 7 --seed 'it'\''s mine' --set users=10`,
  );
});

it('names one from elsewhere alone, and says so behind all flags', () => {
  const elsewhere = join(tmpdir(), 'own.yaml');
  expect(repeatingCommand('compare', elsewhere, { trials: 7 }, false)).toBe(
    'shuffle-dp compare own.yaml --trials 7 --no-truth # in the folder of the config',
  );
});
