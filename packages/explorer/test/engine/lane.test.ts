/** A lane whose questions go to different engines. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lane } from '../../src/engine/lane.ts';
import { fakeWorkers, type FakeWorker } from './fake-workers.ts';

type Sums = {
  readonly sum: { readonly given: { readonly of: 'account' | 'mechanisms' }; readonly answer: string };
};

vi.mock('../../src/engine/engine-source.ts', () => ({
  engineAddress: (name: string) => Promise.resolve(name),
}));

/** As they are made. */
let workers: readonly FakeWorker[];

beforeEach(() => {
  workers = fakeWorkers();
});
afterEach(() => vi.unstubAllGlobals());

it('asks the engine of each question, and ends what another was asked', async () => {
  const heard: string[] = [];
  const sums = lane<Sums>(({ of }) => of, 'finish');
  const ask = async (of: 'account' | 'mechanisms'): Promise<void> => {
    sums.ask('sum', { of }, { answer: (text) => heard.push(text), end: () => heard.push(`end of ${of}`) });
    await Promise.resolve().then(() => Promise.resolve());
  };
  await ask('account');
  workers[0]!.reply('one');
  await ask('account');
  await ask('mechanisms');
  expect(workers.map(({ address, isEnded }) => [address, isEnded])).toEqual([
    ['account', true],
    ['mechanisms', false],
  ]);
  workers[1]!.reply('two');
  expect(heard).toEqual(['one', 'end of account', 'end of account', 'two', 'end of mechanisms']);
  await ask('account');
  expect(workers.map(({ asked }) => asked.length)).toEqual([2, 1, 1]);
});

it('refuses what is asked where its worker has ended by itself, and makes another', async () => {
  const heard: string[] = [];
  const sums = lane<Sums>('account', 'finish');
  const ask = async (): Promise<void> => {
    const refusal = ({ message }: { readonly message: string }): void => void heard.push(message);
    sums.ask('sum', { of: 'account' }, { answer: (text) => heard.push(text), refusal });
    await Promise.resolve().then(() => Promise.resolve());
  };
  await ask();
  workers[0]!.fail('out of memory');
  await ask();
  workers[1]!.reply('two');
  expect(heard).toEqual(['out of memory', 'two']);
});
