/** A lane whose questions go to different engines. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lane } from '../src/engine/lane.ts';
import type { EngineReply, EngineRequest } from '../src/engine/messages.ts';

type Sums = {
  readonly sum: { readonly given: { readonly of: 'account' | 'mechanisms' }; readonly answer: string };
};

/** Workers as they are made, by the address of their script. */
let workers: FakeWorker[];

class FakeWorker {
  readonly asked: EngineRequest[] = [];
  isEnded = false;
  private hear: (event: { readonly data: EngineReply }) => void = () => undefined;
  readonly address: string;
  constructor(address: string) {
    this.address = address;
    workers.push(this);
  }
  addEventListener(_: string, hear: typeof this.hear): void {
    this.hear = hear;
  }
  postMessage(request: EngineRequest): void {
    this.asked.push(request);
  }
  terminate(): void {
    this.isEnded = true;
  }
  reply(answer: string): void {
    const { id } = this.asked.at(-1)!;
    this.hear({ data: { id, kind: 'answer', answer } });
    this.hear({ data: { id, kind: 'end' } });
  }
}

vi.mock('../src/engine/engine-source.ts', () => ({ engineAddress: (name: string) => Promise.resolve(name) }));

beforeEach(() => {
  workers = [];
  vi.stubGlobal('Worker', FakeWorker);
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
