// The shuffler's intake and the analyzer's opening, under messages that nobody should send.
import { RandomStream } from '@shuffle-dp/core';
import { shuffle } from '@shuffle-dp/shuffler';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  generateKeyPair,
  hpkeSealer,
  keyPairOf,
  layoutOf,
  SealedIntake,
  SealedOpening,
  SEAL_BYTES,
  SmallBatchError,
} from '../src/index.ts';

const info = Buffer.from('round 1');
const keys = generateKeyPair();
const layout = layoutOf({ value: new Uint8Array(0) });
const rules = { bytes: SEAL_BYTES + 1, minimum: 2 };
const stream = (): RandomStream => RandomStream.fromSeed('batch');
const sealed = (...values: number[]): Uint8Array[] => {
  const seal = hpkeSealer(keys.publicKey, info);
  return values.map((value) => seal(Uint8Array.of(value)));
};

describe('the intake', () => {
  it('hands on what the shuffler in memory would, in its order', () => {
    const values = Array.from({ length: 40 }, (_, i) => i);
    const messages = sealed(...values);
    const batch = new SealedIntake().openBatch(rules);
    expect(messages.map((message) => batch.take(message))).toEqual(values.map(() => 'accepted'));
    const order = shuffle({ columns: { i: Uint8Array.from(values) }, count: 40 }, stream()).columns.i;
    expect(batch.close(stream())).toEqual(Array.from(order, (i) => messages[i]));
  });

  it('refuses copies, in one batch and in later ones, whatever the copy lies in', () => {
    const intake = new SealedIntake();
    const first = intake.openBatch(rules);
    const [a, b, c] = sealed(1, 2, 3);
    expect([a!, b!, a!.slice(), c!].map((message) => first.take(message))).toEqual([
      'accepted',
      'accepted',
      'duplicate',
      'accepted',
    ]);
    first.close(stream());
    expect(intake.openBatch(rules).take(b!)).toBe('replay');
  });

  it('takes a message whose damaged copy came first', () => {
    const [message] = sealed(1);
    const damaged = message!.slice();
    damaged[40]! ^= 1;
    const batch = new SealedIntake().openBatch(rules);
    expect([batch.take(damaged), batch.take(message!)]).toEqual(['accepted', 'accepted']);
  });

  it('hands nothing on below the minimum, and the same messages may come again', () => {
    const intake = new SealedIntake();
    const small = intake.openBatch({ ...rules, minimum: 3 });
    const messages = sealed(1, 2);
    for (const message of messages) small.take(message);
    expect(() => small.close(stream())).toThrow(SmallBatchError);
    const again = intake.openBatch(rules);
    expect(messages.map((message) => again.take(message))).toEqual(['accepted', 'accepted']);
    expect(again.close(stream())).toHaveLength(2);
  });

  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 })), (messages) => {
        const batch = new SealedIntake().openBatch({ ...rules, minimum: 0 });
        for (const message of messages) {
          const fits = message.length === rules.bytes;
          expect(batch.take(message) === 'wrong length').toBe(!fits);
        }
      }),
    );
  });
});

describe('the opening', () => {
  it('opens in the order of the batch, and counts what it refuses', () => {
    const [a, b] = sealed(7, 9);
    const damaged = a!.slice();
    damaged[0]! ^= 1;
    const foreign = hpkeSealer(generateKeyPair().publicKey, info)(Uint8Array.of(1));
    const long = hpkeSealer(keys.publicKey, info)(Uint8Array.of(1, 2));
    const opening = new SealedOpening(keys);
    const { messages, verdicts } = opening.open([a!, damaged, foreign, long, b!], info, layout);
    expect(verdicts).toEqual(['opened', 'does not open', 'does not open', 'wrong length', 'opened']);
    expect(messages).toEqual({ columns: { value: Uint8Array.of(7, 9) }, count: 2 });
    expect(opening.open([b!], info, layout).verdicts).toEqual(['used context']);
  });

  it('opens one message a context, whoever made it', () => {
    const pair = keyPairOf(new Uint8Array(32).fill(9));
    const seal = hpkeSealer(keys.publicKey, info, () => pair);
    const batch = [seal(Uint8Array.of(1)), seal(Uint8Array.of(2))];
    const { messages, verdicts } = new SealedOpening(keys).open(batch, info, layout);
    expect(verdicts).toEqual(['opened', 'used context']);
    expect(messages.columns['value']).toEqual(Uint8Array.of(1));
  });

  it('of any bytes opens none', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 0, maxLength: 70 }), { maxLength: 5 }), (batch) => {
        const { messages, verdicts } = new SealedOpening(keys).open(batch, info, layout);
        expect(messages.count).toBe(0);
        expect(verdicts).toEqual(batch.map(() => 'does not open'));
      }),
    );
  });
});
