/** Workers that answer when a test lets them. */
import { vi } from 'vitest';
import type { EngineReply, EngineRequest } from '../../src/engine/messages.ts';

export class FakeWorker {
  readonly asked: EngineRequest[] = [];
  isEnded = false;
  private readonly listeners: Record<string, (event: object) => void> = {};
  readonly address: string;
  constructor(address: string) {
    this.address = address;
  }
  addEventListener(kind: string, listener: (event: object) => void): void {
    this.listeners[kind] = listener;
  }
  postMessage(request: EngineRequest): void {
    this.asked.push(request);
  }
  terminate(): void {
    this.isEnded = true;
  }
  /** One answer of several to what was asked last. */
  answer(answer: unknown): void {
    this.send({ id: this.asked.at(-1)!.id, kind: 'answer', answer });
  }
  end(): void {
    this.send({ id: this.asked.at(-1)!.id, kind: 'end' });
  }
  reply(answer: unknown): void {
    this.answer(answer);
    this.end();
  }
  fail(message: string): void {
    this.listeners['error']!({ message, preventDefault: () => undefined });
  }
  private send(data: EngineReply): void {
    this.listeners['message']!({ data });
  }
}

/** Takes the place of the browser's workers. @returns those that are made, in their order */
export function fakeWorkers(): readonly FakeWorker[] {
  const workers: FakeWorker[] = [];
  vi.stubGlobal(
    'Worker',
    class extends FakeWorker {
      constructor(address: string) {
        super(address);
        workers.push(this);
      }
    },
  );
  return workers;
}
