/** Certificates of a few mechanisms for the tests, and ways to damage them. */
import { certificateText, type CertificateContent } from '@shuffle-dp/certificates';
import { RandomStream } from '@shuffle-dp/core';
import { mechanismModel } from '../../src/account/mechanisms.ts';
import { certify } from '../../src/certify/certify.ts';

export interface Setting {
  readonly mechanism: string;
  readonly parameters: Readonly<Record<string, number>>;
  readonly users: number;
  readonly delta: number;
}

const STATED = new Set(['local-hash', 'priv-unit', 'clip-laplace']);

export const SETTINGS: readonly Setting[] = [
  { mechanism: 'grr', parameters: { epsilon0: 1, domain: 16 }, users: 1000, delta: 1e-6 },
  { mechanism: 'grr', parameters: { epsilon0: 2.5, domain: 2 }, users: 777, delta: 1e-4 },
  { mechanism: 'grr', parameters: { epsilon0: 4, domain: 128 }, users: 300, delta: 1e-5 },
  { mechanism: 'subset', parameters: { epsilon0: 1, domain: 16, subsetSize: 4 }, users: 1000, delta: 1e-6 },
  { mechanism: 'binary-rr', parameters: { epsilon0: 2, domain: 16 }, users: 1000, delta: 1e-9 },
  { mechanism: 'oue', parameters: { epsilon0: 1, domain: 3 }, users: 1000, delta: 1e-6 },
  { mechanism: 'hadamard', parameters: { epsilon0: 1, order: 16 }, users: 1000, delta: 1e-6 },
  { mechanism: 'laplace', parameters: { epsilon0: 1 }, users: 1000, delta: 1e-6 },
  { mechanism: 'general', parameters: { epsilon0: 0.5 }, users: 1000, delta: 1e-6 },
  { mechanism: 'local-hash', parameters: { epsilon0: 1, hashRange: 5 }, users: 1000, delta: 1e-6 },
  { mechanism: 'priv-unit', parameters: { epsilon0: 2, cap: 0.3 }, users: 1000, delta: 1e-6 },
  { mechanism: 'clip-laplace', parameters: { epsilon0: 1 }, users: 300, delta: 1e-5 },
];

/** Those whose masses the verifier computes again: a forged blanket of others is for whoever trusts the file to notice. */
export const RECOMPUTED = SETTINGS.filter(({ mechanism }) => !STATED.has(mechanism));
/** Of these the ones with few atoms, which are quick to recheck many times. */
export const OF_POINTS = RECOMPUTED.filter(({ mechanism }) => mechanism !== 'laplace');

export function certificateOf({ mechanism, parameters, users, delta }: Setting): CertificateContent {
  return certify(mechanism, mechanismModel(mechanism, parameters), users, { delta });
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A byte changed, left out or put in. */
export function damaged(text: string, seed: number): Uint8Array {
  const stream = RandomStream.fromSeed('damage').fork(seed);
  const bytes = [...bytesOf(text)];
  const place = stream.integerBelow(bytes.length);
  const other = 32 + stream.integerBelow(95);
  const kind = stream.integerBelow(3);
  if (kind === 0) bytes[place] = bytes[place] === other ? other ^ 1 : other;
  else if (kind === 1) bytes.splice(place, 1);
  else bytes.splice(place, 0, other);
  return Uint8Array.from(bytes);
}

/** The file's text after a change that would let it say more than is proved, with a digest made anew. */
export function forged(
  content: CertificateContent,
  seed: number,
): { readonly change: string; readonly file: Uint8Array } {
  const stream = RandomStream.fromSeed('forgery').fork(seed);
  const copy = structuredClone(content) as Writable<CertificateContent>;
  const names = Object.keys(FORGERIES);
  const change = names[seed % names.length]!;
  FORGERIES[change]!(copy, stream);
  return { change, file: bytesOf(certificateText(copy)) };
}

type Writable<Value> = Value extends string
  ? Value
  : { -readonly [Key in keyof Value]: Writable<Value[Key]> };

type Forgery = (content: Writable<CertificateContent>, stream: RandomStream) => void;

const FORGERIES: Readonly<Record<string, Forgery>> = {
  'a smaller epsilon': ({ claim }, stream) => {
    claim.epsilon = `${Number(claim.epsilon) * (0.995 - 0.9 * stream.next())}`;
  },
  'a smaller delta': ({ claim }, stream) => {
    claim.delta = `${Number(claim.delta) * (0.99 - 0.9 * stream.next())}`;
  },
  'fewer users': ({ claim }, stream) => {
    claim.users = `${Math.max(1, Math.floor(Number(claim.users) * (0.99 - 0.9 * stream.next())))}`;
  },
  'a larger blanket': ({ pairs }, stream) => {
    const { atoms } = pairs[0]!;
    const atom = atoms[stream.integerBelow(atoms.length)]!;
    atom.others = `${(BigInt(atom.others) * 9n) / 8n + (1n << 90n)}`;
  },
  'a smaller mass of the victim': ({ pairs }, stream) => {
    const { atoms } = pairs[0]!;
    const atom = atoms[stream.integerBelow(atoms.length)]!;
    atom.victim0 = [atom.victim0[0], `${(BigInt(atom.victim0[1]) * 7n) / 8n}`];
  },
  'an atom left out': ({ pairs }, stream) => {
    const { atoms } = pairs[0]!;
    atoms.splice(stream.integerBelow(atoms.length), 1);
  },
  'no atoms': ({ pairs }) => {
    pairs.splice(0);
  },
  'no steps': ({ pairs }) => {
    pairs[0]!.steps = [];
  },
  'windows that see nothing': ({ pairs }) => {
    const { steps } = pairs[0]!;
    for (const { windows } of steps) windows.splice(-1, 1, ['0', '1']);
  },
  'a window that is missing': ({ pairs }) => {
    for (const { windows } of pairs[0]!.steps) windows.pop();
  },
  'a finer lattice without its windows': ({ pairs }) => {
    for (const steps of pairs[0]!.steps) steps.spacing = `${BigInt(steps.spacing) / 4n}`;
  },
  'no spacing': ({ pairs }) => {
    for (const steps of pairs[0]!.steps) steps.spacing = '0';
  },
  'few digits': (content) => {
    content.probabilityBits = '8';
  },
  'another scale of masses': (content) => {
    content.massBits = '130';
  },
};
