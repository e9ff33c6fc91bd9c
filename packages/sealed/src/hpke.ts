/**
 * Hybrid public key encryption, RFC 9180, in base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-128-GCM.
 * Every message has a context of its own, so that each is sealed at sequence number 0 under a key that
 * nothing else is sealed under.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';

/** Bytes of a public key, and of the encapsulated key that every sealed message begins with. */
export const KEY_BYTES = 32;
const TAG_BYTES = 16;
/** By how many bytes a sealed message is longer than what it says. */
export const SEAL_BYTES = KEY_BYTES + TAG_BYTES;

export interface HpkeKeyPair {
  /** 32 bytes, as RFC 7748 writes a point. */
  readonly publicKey: Uint8Array;
  readonly privateKey: KeyObject;
}

/**
 * A key pair from the system's secure random numbers.
 *
 * @example generateKeyPair().publicKey.length // 32
 */
export function generateKeyPair(): HpkeKeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return { publicKey: pointOf(publicKey), privateKey };
}

/**
 * The key pair of a given private key.
 *
 * @param scalar the 32 bytes of a private key
 * @throws RangeError for another length
 * @example keyPairOf(new Uint8Array(32).fill(1)).publicKey.length // 32
 */
export function keyPairOf(scalar: Uint8Array): HpkeKeyPair {
  if (scalar.length !== KEY_BYTES) throw new RangeError(`a private key has ${KEY_BYTES} bytes`);
  const key = Buffer.concat([PKCS8, scalar]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return { publicKey: pointOf(createPublicKey(privateKey)), privateKey };
}

/**
 * What seals messages to a recipient: the encapsulated key, the ciphertext, the tag.
 *
 * @param recipient public key, 32 bytes
 * @param info what both sides know of the purpose; a message opens under the same alone
 * @param ephemeral the key pair of the next message, used once; fresh ones unless test vectors are to be met
 * @throws RangeError for a public key of another length
 * @example hpkeSealer(generateKeyPair().publicKey, Uint8Array.of())(Uint8Array.of(1)).length // 49
 */
export function hpkeSealer(
  recipient: Uint8Array,
  info: Uint8Array,
  ephemeral: () => HpkeKeyPair = generateKeyPair,
): (plaintext: Uint8Array, associated?: Uint8Array) => Uint8Array {
  const recipientKey = publicKeyOf(recipient);
  const context = scheduleContext(info);
  return (plaintext, associated = NOTHING) => {
    const { publicKey, privateKey } = ephemeral();
    const shared = diffieHellman({ privateKey, publicKey: recipientKey });
    const { key, nonce } = messageKey(shared, publicKey, recipient, context);
    const cipher = createCipheriv('aes-128-gcm', key, nonce).setAAD(associated);
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return plainBytes(Buffer.concat([publicKey, ciphertext, cipher.getAuthTag()]));
  };
}

/** What opens messages; null for one that was damaged, or sealed to another key or for another purpose. */
export function hpkeOpener(
  { publicKey, privateKey }: HpkeKeyPair,
  info: Uint8Array,
): (sealed: Uint8Array, associated?: Uint8Array) => Uint8Array | null {
  const context = scheduleContext(info);
  return (sealed, associated = NOTHING) => {
    if (sealed.length < SEAL_BYTES) return null;
    const encapsulated = sealed.subarray(0, KEY_BYTES);
    const tag = sealed.subarray(sealed.length - TAG_BYTES);
    const shared = sharedSecret(privateKey, encapsulated);
    if (shared === null) return null;
    const { key, nonce } = messageKey(shared, encapsulated, publicKey, context);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAAD(associated).setAuthTag(tag);
    try {
      const ciphertext = sealed.subarray(KEY_BYTES, sealed.length - TAG_BYTES);
      return plainBytes(Buffer.concat([decipher.update(ciphertext), decipher.final()]));
    } catch {
      return null;
    }
  };
}

/**
 * Null for a point of small order, whose secret would be zero whatever the private key (RFC 9180, section
 * 7.1.4).
 */
function sharedSecret(privateKey: KeyObject, point: Uint8Array): Uint8Array | null {
  try {
    return diffieHellman({ privateKey, publicKey: publicKeyOf(point) });
  } catch {
    return null;
  }
}

const KEM_SUITE = suite('KEM', 0x0020);
const HPKE_SUITE = suite('HPKE', 0x0020, 0x0001, 0x0001);

/** `context` of the key schedule (section 5.1), the same for all messages of a purpose. */
function scheduleContext(info: Uint8Array): Uint8Array {
  const baseMode = Uint8Array.of(0);
  const noPsk = labeledExtract(HPKE_SUITE, NOTHING, 'psk_id_hash', NOTHING);
  return Buffer.concat([baseMode, noPsk, labeledExtract(HPKE_SUITE, NOTHING, 'info_hash', info)]);
}

/** Sections 4.1 and 5.1: from the Diffie-Hellman value to the key of the context's one message. */
function messageKey(
  dh: Uint8Array,
  encapsulated: Uint8Array,
  recipient: Uint8Array,
  context: Uint8Array,
): { readonly key: Uint8Array; readonly nonce: Uint8Array } {
  const extracted = labeledExtract(KEM_SUITE, NOTHING, 'eae_prk', dh);
  const points = Buffer.concat([encapsulated, recipient]);
  const shared = labeledExpand(KEM_SUITE, extracted, 'shared_secret', points, 32);
  const secret = labeledExtract(HPKE_SUITE, shared, 'secret', NOTHING);
  return {
    key: labeledExpand(HPKE_SUITE, secret, 'key', context, 16),
    nonce: labeledExpand(HPKE_SUITE, secret, 'base_nonce', context, 12),
  };
}

function labeledExtract(suiteId: Uint8Array, salt: Uint8Array, label: string, secret: Uint8Array): Buffer {
  return hmac(salt, VERSION, suiteId, Buffer.from(label), secret);
}

/** One block of HKDF-Expand: at most 32 bytes, which is all that is asked for here. */
function labeledExpand(
  suiteId: Uint8Array,
  key: Uint8Array,
  label: string,
  info: Uint8Array,
  length: number,
): Buffer {
  const firstBlock = Uint8Array.of(1);
  const block = hmac(key, twoBytes(length), VERSION, suiteId, Buffer.from(label), info, firstBlock);
  return block.subarray(0, length);
}

function hmac(key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

function suite(name: string, ...ids: readonly number[]): Uint8Array {
  return Buffer.concat([Buffer.from(name), ...ids.map(twoBytes)]);
}

function twoBytes(value: number): Uint8Array {
  return Uint8Array.of(value >>> 8, value & 0xff);
}

/** A copy: `slice` of a Buffer would be the same memory. */
function plainBytes(bytes: Buffer): Uint8Array {
  return Uint8Array.from(bytes);
}

const NOTHING = new Uint8Array(0);
const VERSION = Buffer.from('HPKE-v1');

/** What stands before the 32 bytes of a key in DER (RFC 8410). */
const SPKI = Buffer.from('302a300506032b656e032100', 'hex');
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex');

function publicKeyOf(point: Uint8Array): KeyObject {
  if (point.length !== KEY_BYTES) throw new RangeError(`a public key has ${KEY_BYTES} bytes`);
  return createPublicKey({ key: Buffer.concat([SPKI, point]), format: 'der', type: 'spki' });
}

function pointOf(key: KeyObject): Uint8Array {
  return plainBytes(key.export({ type: 'spki', format: 'der' }).subarray(SPKI.length));
}
