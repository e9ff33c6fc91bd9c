/** Certificates of a few mechanisms for the tests, and ways to damage them. */
import { createHash } from 'node:crypto';
import { certifiedComposedEpsilon } from '@shuffle-dp/accounting';
import { certificateText, type CertificateContent } from '@shuffle-dp/certificates';
import { RandomStream } from '@shuffle-dp/core';
import { mechanismModel } from '../../src/account/mechanisms.ts';
import { certifyRounds } from '../../src/certify/certify-rounds.ts';

export interface Setting {
  readonly mechanism: string;
  readonly parameters: Readonly<Record<string, number>>;
  readonly users: number;
  readonly delta: number;
  /** 1 where it is absent. */
  readonly rounds?: number;
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

export const COMPOSED: readonly Required<Setting>[] = [
  { mechanism: 'grr', parameters: { epsilon0: 1, domain: 8 }, users: 100, delta: 1e-4, rounds: 3 },
  {
    mechanism: 'subset',
    parameters: { epsilon0: 1, domain: 16, subsetSize: 4 },
    users: 100,
    delta: 1e-6,
    rounds: 64,
  },
];

/** For the long tests. */
export const MORE_COMPOSED: readonly Required<Setting>[] = [
  { mechanism: 'grr', parameters: { epsilon0: 4, domain: 8 }, users: 60, delta: 1e-4, rounds: 3 },
  { mechanism: 'grr', parameters: { epsilon0: 1, domain: 16 }, users: 500, delta: 1e-6, rounds: 2 },
  { mechanism: 'binary-rr', parameters: { epsilon0: 2, domain: 4 }, users: 300, delta: 1e-9, rounds: 5 },
  { mechanism: 'hadamard', parameters: { epsilon0: 0.5, order: 16 }, users: 200, delta: 1e-5, rounds: 1000 },
  { mechanism: 'oue', parameters: { epsilon0: 1, domain: 5 }, users: 1000, delta: 1e-6, rounds: 10 },
  { mechanism: 'general', parameters: { epsilon0: 0.5 }, users: 300, delta: 1e-6, rounds: 16 },
  { mechanism: 'laplace', parameters: { epsilon0: 1 }, users: 300, delta: 1e-6, rounds: 8 },
  { mechanism: 'priv-unit', parameters: { epsilon0: 2, cap: 0.3 }, users: 1000, delta: 1e-6, rounds: 4 },
];

/**
 * Those whose masses the verifier computes again: a forged blanket of others is for whoever trusts the file
 * to notice.
 */
export const RECOMPUTED = SETTINGS.filter(({ mechanism }) => !STATED.has(mechanism));
/** Of these the ones with few atoms, which are quick to recheck many times. */
export const OF_POINTS = RECOMPUTED.filter(({ mechanism }) => mechanism !== 'laplace');

const made = new WeakMap<Setting, CertificateContent>();

/** Of one setting it is made once: several tests look at it, and change copies alone. */
export function certificateOf(setting: Setting): CertificateContent {
  const { mechanism, parameters, users, delta, rounds = 1 } = setting;
  const content =
    made.get(setting) ??
    certifyRounds(mechanism, mechanismModel(mechanism, parameters), users, rounds, { delta });
  made.set(setting, content);
  return content;
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
  'no points': (content) => {
    content.points = [];
  },
  'no steps': ({ points }) => {
    for (const point of points) point.steps = [];
  },
  'steps twice': ({ points }) => {
    for (const point of points) point.steps.push(...point.steps);
  },
  'windows that see nothing': ({ points }) => {
    for (const { steps } of points) for (const { windows } of steps) windows.splice(-1, 1, ['0', '1']);
  },
  'a window that is missing': ({ points }) => {
    for (const { steps } of points) for (const { windows } of steps) windows.pop();
  },
  'a finer lattice without its windows': ({ points }) => {
    for (const { steps } of points) for (const plan of steps) plan.spacing = `${BigInt(plan.spacing) / 4n}`;
  },
  'no spacing': ({ points }) => {
    for (const { steps } of points) for (const plan of steps) plan.spacing = '0';
  },
  'doublings in the wrong places': ({ points }) => {
    for (const { steps } of points)
      for (const plan of steps) plan.doublings = plan.doublings.map((_, i) => `${i + 1}`);
  },
  'a doubling too late': ({ points }) => {
    for (const { steps } of points) for (const plan of steps) plan.doublings.push('50');
  },
  'more rounds': ({ claim }, stream) => {
    claim.rounds = `${Number(claim.rounds) + 1 + stream.integerBelow(9)}`;
  },
  'half of the points': (content) => {
    content.points = content.points.length === 1 ? [] : content.points.filter((_, i) => i % 2 === 0);
  },
  'points the other way round': ({ points, composition }) => {
    points.reverse();
    if (!composition) points.push(...points);
  },
  'a ratio of one': (content) => {
    content.composition = { ratio: `${1n << BigInt(content.massBits)}`, windows: [] };
  },
  'another composition': (content) => {
    if (content.composition) delete content.composition;
    else content.composition = { ratio: `${(5n << BigInt(content.massBits)) / 4n}`, windows: [] };
  },
  'few digits': (content) => {
    content.probabilityBits = '8';
  },
  'another scale of masses': (content) => {
    content.massBits = '130';
  },
};

/** What the same rounds are proved to have by their blankets alone. */
export function upperByBlankets({ mechanism, parameters, users, delta, rounds }: Required<Setting>): number {
  const { amplification, epsilon0 } = mechanismModel(mechanism, parameters);
  const round = { amplification, epsilon0, users, count: rounds };
  return certifiedComposedEpsilon([round], delta, { blanketsOnly: true }).upper;
}

/** Its claim with other words before its own, and its digest made anew. */
export function withClaim(text: string, before: string): Uint8Array {
  return signedAnew(text, (body) => body.replace('"users":', `${before}"users":`));
}

/** With a parameter that the mechanism has not, and the digest made anew. */
export function withParameter(text: string, parameter: string): Uint8Array {
  return signedAnew(text, (body) => body.replace('},"users":', `,${parameter}},"users":`));
}

function signedAnew(text: string, change: (body: string) => string): Uint8Array {
  const [body] = text.split('\n  "sha256"');
  const changed = change(body!);
  const digest = createHash('sha256').update(changed).digest('hex');
  return bytesOf(`${changed}\n  "sha256": "${digest}"\n}\n`);
}
