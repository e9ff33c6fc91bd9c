/**
 * The network between users and shuffler: it sees sealed messages, and may damage, cut, copy and add what it
 * likes.
 */
import { RandomStream } from '@shuffle-dp/core';
import { generateKeyPair, hpkeSealer } from '@shuffle-dp/sealed';
import type { Round } from './parties.ts';
import type { Arrival } from './shuffler.ts';

/** Messages that an attacker adds, by kind. */
export type Attack = 'damaged' | 'truncated' | 'foreign' | 'duplicate' | 'replay';

export class Network {
  private readonly earlier: Uint8Array[] = [];
  private readonly stream = RandomStream.fromSeed('network');
  private readonly attacks: number;

  /**
   * @param attacks messages of every kind of attack that are added to a round; replays from the second round
   * on
   */
  constructor(attacks: number) {
    this.attacks = attacks;
  }

  /**
   * What the shuffler gets of a round: all that was sent, in its order, and what is added, at random places.
   */
  deliver(sealed: readonly Uint8Array[], round: Round): { arrivals: Arrival[]; added: Attack[] } {
    const forged = this.forge(sealed, round);
    const places = new Map<number, Uint8Array[]>();
    for (const { bytes } of forged) {
      const place = this.stream.integerBelow(sealed.length + 1);
      places.set(place, [...(places.get(place) ?? []), bytes]);
    }
    const arrivals: Arrival[] = [];
    for (let i = 0; i <= sealed.length; i++) {
      for (const bytes of places.get(i) ?? []) arrivals.push({ sealed: bytes, connection: sealed.length });
      if (i < sealed.length) arrivals.push({ sealed: sealed[i]!, connection: i });
    }
    for (const message of sealed) this.earlier.push(message);
    return { arrivals, added: forged.map(({ attack }) => attack) };
  }

  private forge(
    sealed: readonly Uint8Array[],
    { purpose, layout }: Round,
  ): { attack: Attack; bytes: Uint8Array }[] {
    const { stream, earlier } = this;
    const any = (messages: readonly Uint8Array[]): Uint8Array =>
      Uint8Array.from(messages[stream.integerBelow(messages.length)]!);
    const forged: { attack: Attack; bytes: Uint8Array }[] = [];
    const toOther = hpkeSealer(generateKeyPair().publicKey, Buffer.from(purpose));
    for (let i = 0; i < this.attacks && sealed.length > 0; i++) {
      const damaged = any(sealed);
      damaged[stream.integerBelow(damaged.length)]! ^= 1 << stream.integerBelow(8);
      const whole = any(sealed);
      forged.push(
        { attack: 'damaged', bytes: damaged },
        { attack: 'truncated', bytes: whole.subarray(0, stream.integerBelow(whole.length)) },
        { attack: 'foreign', bytes: toOther(new Uint8Array(layout.bytes)) },
        { attack: 'duplicate', bytes: any(sealed) },
      );
      if (earlier.length > 0) forged.push({ attack: 'replay', bytes: any(earlier) });
    }
    return forged;
  }
}
