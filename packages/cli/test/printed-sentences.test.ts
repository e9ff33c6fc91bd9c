// Sentences that depend on what was found: where they would say more than is so, they are not there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AuditReport } from '@shuffle-dp/experiments/audit';
import { auditText } from '../src/output/audit-text.ts';
import { sweepText } from '../src/train-config.ts';
import { inside } from './inside.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-sentences-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('budgets of users', () => {
  const printed = async (budgets: string, ...flags: string[]) => {
    const args = ['--mechanism', 'grr', '--domain', '4', '--delta', '1e-3', ...flags];
    return (await inside('personalized', '--budgets', budgets, ...args)).stdout;
  };

  it('that are levels are rounded down to none', async () => {
    const stdout = await printed('0.25,0.5,0.5,1');
    expect(stdout).toMatch(/^epsilon of the worst user between .* \(proved\)$/mu);
  });

  it('between levels are rounded down to them', async () => {
    const stdout = await printed('uniform(0.1,1)', '--users', '40', '--levels', '3');
    expect(stdout).toMatch(/ \(proved, at 3 levels that users round down to\)$/mu);
  });
});

describe('an audit', () => {
  const report = (upper: number): AuditReport => ({
    name: 'pureDUMP',
    parameters: {},
    users: 10,
    path: 'messages',
    sees: 'estimates',
    trialsToChoose: 500,
    trialsToJudge: 500,
    verdict: 'consistent',
    rows: [
      {
        delta: 0.01,
        allowed: upper,
        certified: { lower: 0, upper },
        measured: 0,
        smallestExcess: null,
        events: [],
      },
    ],
  });
  const shown = { trials: 1000, confidence: 0.99 };

  it('asks for more trials only where they may find something', () => {
    expect(auditText([report(1)], shown)).toContain('raise --trials');
    const nothing = auditText([report(Infinity)], shown);
    expect(nothing).not.toContain('--trials');
    expect(nothing).toContain('Nothing finite is claimed');
  });
});

it('a certificate counts its users', async () => {
  const file = join(root, 'one.json');
  const mechanism = ['grr', '--epsilon0', '1', '--domain', '2', '--users', '1', '--delta', '0.1'];
  expect((await inside('account', ...mechanism, '--certificate', file, '--quiet')).code).toBe(0);
  expect((await inside('verify', file)).stdout).toContain('), 1 user, ');
});

describe('a sweep', () => {
  const told = (...epsilons: number[]) =>
    sweepText({ asked: 9, rounds: 2, delta: 0.1, results: epsilons.map((epsilon) => ({ epsilon })) }, 'out');

  it('names a figure only where points lie at two places', () => {
    expect(told(1, 2)).toContain('has the figure.');
    expect(told(2, 2)).toContain('has the table.');
    expect(told(2, Infinity)).toContain('has the table.');
  });

  it('calls no infinite epsilon proved', () => {
    expect(told(1, 2)).toContain('; epsilon is proved');
    expect(told(1, Infinity)).toContain('; where epsilon is a number it is proved');
  });
});
