/** The curve of the page Compose, which is broken off when its setting changes. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as ComposeCurve from '../src/compose/compose-curve.ts';
import { fakeWorkers, type FakeWorker } from './engine/fake-workers.ts';

vi.mock('../src/engine/engine-source.ts', () => ({ engineAddress: (name: string) => Promise.resolve(name) }));

let workers: readonly FakeWorker[];
let curve: typeof ComposeCurve;

beforeEach(async () => {
  workers = fakeWorkers();
  vi.resetModules();
  curve = await import('../src/compose/compose-curve.ts');
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const ofDelta = (delta: number): ComposeCurve.CurveQuestion => ({
  schedule: [{ mechanism: 'grr', parameters: { epsilon0: 1, domain: 4 }, users: 100, rounds: 4 }],
  target: { delta },
});
const ask = async (question: ComposeCurve.CurveQuestion): Promise<void> => {
  curve.askCurve(question);
  await Promise.resolve().then(() => Promise.resolve());
};
const rounds = (of: ComposeCurve.CurveQuestion): number[] => curve.pointsOf(of).map((point) => point.rounds);

it('is computed anew where it was broken off', async () => {
  await ask(ofDelta(1e-6));
  workers[0]!.answer({ rounds: 4 });
  curve.cancelCurve();
  expect([workers[0]!.isEnded, rounds(ofDelta(1e-6))]).toEqual([true, []]);
  await ask(ofDelta(1e-6));
  workers[1]!.answer({ rounds: 4 });
  workers[1]!.reply({ rounds: 1 });
  expect(rounds(ofDelta(1e-6))).toEqual([1, 4]);
});

it('is kept where it is whole, also while the next setting is computed', async () => {
  await ask(ofDelta(1e-7));
  workers[0]!.answer({ rounds: 4 });
  workers[0]!.reply({ rounds: 1 });
  curve.cancelCurve();
  await ask(ofDelta(1e-7));
  expect([workers.length, workers[0]!.asked.length, rounds(ofDelta(1e-7))]).toEqual([1, 1, [1, 4]]);
});

it('is drawn of its own question alone', async () => {
  await ask(ofDelta(1e-8));
  workers[0]!.answer({ rounds: 4 });
  workers[0]!.reply({ rounds: 1 });
  expect([rounds(ofDelta(1e-8)), rounds(ofDelta(1e-9))]).toEqual([[1, 4], []]);
});
