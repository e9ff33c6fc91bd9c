import { Aes128Gcm, CipherSuite, HkdfSha256 } from '@hpke/core';
import { DhkemX25519HkdfSha256 } from '@hpke/dhkem-x25519';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateKeyPair, hpkeOpener, hpkeSealer, keyPairOf, SEAL_BYTES } from '../src/index.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

/** Appendix A.1.1, its encryption of sequence number 0. */
const RFC = {
  info: hex('4f6465206f6e2061204772656369616e2055726e'),
  ephemeral: hex('52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736'),
  encapsulated: hex('37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431'),
  recipient: hex('4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8'),
  recipientPoint: hex('3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d'),
  plaintext: hex('4265617574792069732074727574682c20747275746820626561757479'),
  associated: hex('436f756e742d30'),
  sealed: hex('f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a'),
};

describe('the vectors of RFC 9180, A.1.1', () => {
  it('has the public keys', () => {
    expect(keyPairOf(RFC.ephemeral).publicKey).toEqual(RFC.encapsulated);
    expect(keyPairOf(RFC.recipient).publicKey).toEqual(RFC.recipientPoint);
  });

  it('seals the first message byte for byte', () => {
    const seal = hpkeSealer(RFC.recipientPoint, RFC.info, () => keyPairOf(RFC.ephemeral));
    expect(Buffer.from(seal(RFC.plaintext, RFC.associated)).toString('hex')).toBe(
      Buffer.concat([RFC.encapsulated, RFC.sealed]).toString('hex'),
    );
  });

  it('opens it', () => {
    const open = hpkeOpener(keyPairOf(RFC.recipient), RFC.info);
    expect(open(Buffer.concat([RFC.encapsulated, RFC.sealed]), RFC.associated)).toEqual(RFC.plaintext);
  });
});

describe('another implementation', () => {
  const suite = new CipherSuite({
    kem: new DhkemX25519HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes128Gcm(),
  });
  const info = Buffer.from('for both');
  const text = Buffer.from('value 7');

  it('opens what is sealed here', async () => {
    const pair = await suite.kem.generateKeyPair();
    const recipient = new Uint8Array(await suite.kem.serializePublicKey(pair.publicKey));
    const sealed = hpkeSealer(recipient, info)(text);
    const opener = await suite.createRecipientContext({
      recipientKey: pair.privateKey,
      enc: Uint8Array.from(sealed.subarray(0, 32)).buffer,
      info,
    });
    expect(Buffer.from(await opener.open(Uint8Array.from(sealed.subarray(32)).buffer))).toEqual(text);
  });

  it('seals what opens here', async () => {
    const keys = generateKeyPair();
    const recipientPublicKey = await suite.kem.deserializePublicKey(Uint8Array.from(keys.publicKey).buffer);
    const sender = await suite.createSenderContext({ recipientPublicKey, info });
    const ciphertext = await sender.seal(text);
    const sealed = Buffer.concat([new Uint8Array(sender.enc), new Uint8Array(ciphertext)]);
    expect(hpkeOpener(keys, info)(sealed)).toEqual(Uint8Array.from(text));
  });
});

describe('what does not open', () => {
  const keys = generateKeyPair();
  const info = Buffer.from('round 1');
  const seal = hpkeSealer(keys.publicKey, info);
  const open = hpkeOpener(keys, info);
  const sealed = seal(Buffer.from('abc'));

  it('every message with one bit turned', () => {
    for (let bit = 0; bit < 8 * sealed.length; bit++) {
      const damaged = Buffer.from(sealed);
      damaged[bit >>> 3]! ^= 1 << (bit & 7);
      expect(open(damaged)).toBeNull();
    }
  });

  it('every message cut short or made longer', () => {
    for (let length = 0; length < sealed.length; length++)
      expect(open(sealed.subarray(0, length))).toBeNull();
    expect(open(Buffer.concat([sealed, Uint8Array.of(0)]))).toBeNull();
  });

  it('a message to another key or for another purpose', () => {
    expect(hpkeOpener(generateKeyPair(), info)(sealed)).toBeNull();
    expect(hpkeOpener(keys, Buffer.from('round 2'))(sealed)).toBeNull();
  });

  it('points of small order, whose secret all know', () => {
    for (const first of [0, 1]) {
      const point = new Uint8Array(32);
      point[0] = first;
      expect(open(Buffer.concat([point, sealed.subarray(32)]))).toBeNull();
    }
  });

  it('any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(open(bytes)).toBeNull();
      }),
    );
  });
});

it('opens to what was sealed, as long as all of its length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 40 }), (plaintext, info) => {
      const keys = generateKeyPair();
      const seal = hpkeSealer(keys.publicKey, info);
      const [first, second] = [seal(plaintext), seal(plaintext)];
      expect(first.length).toBe(plaintext.length + SEAL_BYTES);
      expect(Buffer.from(first).equals(second)).toBe(false);
      expect(hpkeOpener(keys, info)(first)).toEqual(plaintext);
    }),
  );
});
