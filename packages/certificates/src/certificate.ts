/**
 * The file of a certificate: its fields, how it is read, and the digest that notices damage.
 * docs/certificates.md says what they mean.
 */
import { createHash } from 'node:crypto';
import { DECIMAL, INDEX, INTEGER, NAME, PARAMETER, PLACE, positive, type Form } from './field-forms.ts';
import { outlineFault } from './json-outline.ts';

/** What it is, and the version of its fields. */
export const CERTIFICATE_KIND = 'shuffle-dp privacy certificate 2';

/**
 * So many shuffled rounds of the mechanism are (epsilon, delta)-DP for replace-one neighbours. All numbers of
 * a certificate are decimals in text: exact.
 */
export interface CertificateClaim {
  readonly mechanism: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Of each round. */
  readonly users: string;
  readonly rounds: string;
  readonly adjacency: 'replace-one';
  readonly epsilon: string;
  readonly delta: string;
}

/** Integers over 2^massBits, as decimals: at most and at least what the mass is. */
export type MassEnds = readonly [lower: string, upper: string];

export interface CertificateAtom {
  readonly victim0: MassEnds;
  readonly victim1: MassEnds;
  /** At most what every other user is sure to give. */
  readonly others: string;
  /**
   * Of a cell of a continuous output: between these lies the victim's density over that of `others`. Absent
   * for points.
   */
  readonly ratio0?: MassEnds;
  readonly ratio1?: MassEnds;
}

/** Lattice points that are kept. */
export type WindowEnds = readonly [low: string, high: string];

/** Steps for one order of the victim's two inputs. */
export interface CertificateSteps {
  /** Spacing of the lattice of losses, an integer over 2^massBits. */
  readonly spacing: string;
  /** The squarings, counted from 1, after which the spacing is doubled. */
  readonly doublings: readonly string[];
  /** One for each product of two laws. */
  readonly windows: readonly WindowEnds[];
}

export interface CertificatePair {
  readonly label: string;
  readonly atoms: readonly CertificateAtom[];
}

/** One round at one epsilon: that of the claim, or for many rounds log(ratio) times the index. */
export interface CertificatePoint {
  readonly index: string;
  /**
   * Pair by pair: one where exchanging the victim's inputs only permutes the atoms, else one for either
   * order.
   */
  readonly steps: readonly CertificateSteps[];
}

/** How rounds are put together. */
export interface CertificateComposition {
  /** Losses are taken at its powers: above 1, an integer over 2^massBits. */
  readonly ratio: string;
  readonly windows: readonly WindowEnds[];
}

export interface CertificateContent {
  readonly certificate: typeof CERTIFICATE_KIND;
  readonly claim: CertificateClaim;
  readonly massBits: string;
  /** Probabilities of sums are integers over 2^probabilityBits, rounded up. */
  readonly probabilityBits: string;
  readonly pairs: readonly CertificatePair[];
  /** One for a claim of one round, else in rising order of their indices, from 0. */
  readonly points: readonly CertificatePoint[];
  /** Of more than one round. */
  readonly composition?: CertificateComposition;
}

/**
 * The file is no certificate.
 *
 * @example errorCode(new CertificateFormatError('no file')) // 'bad-certificate'
 */
export class CertificateFormatError extends Error {
  override readonly name = 'CertificateFormatError';
  readonly code = 'bad-certificate';
}

/** The last lines of the file, after what the digest is made of. */
const ENDING = /\n {2}"sha256": "([0-9a-f]{64})"\n\}\n$/u;

function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/**
 * The text of a certificate's file: one line for each atom and each list of windows, and the digest of all
 * that at the end.
 */
export function certificateText(content: CertificateContent): string {
  const { pairs, points, ...head } = content;
  const lines = Object.entries(head).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  const shownPairs = pairs.map(
    ({ label, atoms }) => `    { "label": ${JSON.stringify(label)}, "atoms": [${entries(atoms)}] }`,
  );
  const shownPoints = points.map(
    ({ index, steps }) => `    { "index": ${JSON.stringify(index)}, "steps": [${entries(steps)}] }`,
  );
  const text = `{\n${lines.join('\n')}\n  "pairs": [\n${shownPairs.join(',\n')}\n  ],\n  "points": [\n${shownPoints.join(',\n')}\n  ],`;
  return `${text}\n  "sha256": "${digestOf(text)}"\n}\n`;
}

function entries(values: readonly object[]): string {
  return `\n${values.map((value) => `      ${JSON.stringify(value)}`).join(',\n')}\n    `;
}

export interface ReadCertificate {
  readonly content: CertificateContent;
  /** Whether the file is, to the last byte, what its digest was made of. */
  readonly isWhole: boolean;
}

/** @param file its bytes @throws CertificateFormatError for what is no certificate */
export function readCertificate(file: Uint8Array): ReadCertificate {
  let text: string;
  let fault: string | null;
  let document: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file);
    fault = outlineFault(text);
    document = fault === null ? JSON.parse(text) : null;
  } catch {
    throw new CertificateFormatError('it is not JSON');
  }
  if (fault !== null) throw new CertificateFormatError(fault);
  const isComposed = typeof document === 'object' && document !== null && 'composition' in document;
  const whole = fields(document, 'the file', [
    'certificate',
    'claim',
    'massBits',
    'probabilityBits',
    ...(isComposed ? ['composition'] : []),
    'pairs',
    'points',
    'sha256',
  ]);
  if (whole['certificate'] !== CERTIFICATE_KIND)
    throw new CertificateFormatError(`certificate: must be ${JSON.stringify(CERTIFICATE_KIND)}`);
  checkClaim(whole['claim']);
  count(whole['massBits'], 'massBits', 320);
  count(whole['probabilityBits'], 'probabilityBits', 4096);
  if (isComposed) checkComposition(whole['composition']);
  list(whole['pairs'], 'pairs', 1000).forEach((pair, i) => checkPair(pair, `pairs[${i}]`));
  list(whole['points'], 'points', 1000).forEach((point, i) => checkPoint(point, `points[${i}]`));
  const ending = ENDING.exec(text);
  if (!ending) throw new CertificateFormatError('it does not end with its digest');
  const isWhole = ending[1] === digestOf(text.slice(0, ending.index));
  return { content: document as CertificateContent, isWhole };
}

function checkClaim(value: unknown): void {
  const claim = fields(value, 'claim', [
    'mechanism',
    'parameters',
    'users',
    'rounds',
    'adjacency',
    'epsilon',
    'delta',
  ]);
  word(claim['mechanism'], 'claim.mechanism', NAME);
  const parameters = fields(claim['parameters'], 'claim.parameters');
  for (const [name, given] of Object.entries(parameters)) {
    word(name, 'claim.parameters', NAME);
    word(given, `claim.parameters.${name}`, PARAMETER);
  }
  word(claim['users'], 'claim.users', positive(15));
  word(claim['rounds'], 'claim.rounds', positive(6));
  if (claim['adjacency'] !== 'replace-one')
    throw new CertificateFormatError('claim.adjacency: must be "replace-one"');
  word(claim['epsilon'], 'claim.epsilon', DECIMAL);
  word(claim['delta'], 'claim.delta', DECIMAL);
}

function checkPair(value: unknown, path: string): void {
  const pair = fields(value, path, ['label', 'atoms']);
  if (typeof pair['label'] !== 'string') throw new CertificateFormatError(`${path}.label: must be text`);
  list(pair['atoms'], `${path}.atoms`, 100_000).forEach((entry, i) => {
    const place = `${path}.atoms[${i}]`;
    const isCell = typeof entry === 'object' && entry !== null && 'ratio0' in entry;
    const atom = fields(entry, place, [
      'victim0',
      'victim1',
      'others',
      ...(isCell ? ['ratio0', 'ratio1'] : []),
    ]);
    for (const name of ['victim0', 'victim1', ...(isCell ? ['ratio0', 'ratio1'] : [])]) {
      twoIntegers(atom[name], `${place}.${name}`, INTEGER);
    }
    word(atom['others'], `${place}.others`, INTEGER);
  });
}

function checkPoint(value: unknown, path: string): void {
  const point = fields(value, path, ['index', 'steps']);
  word(point['index'], `${path}.index`, PLACE);
  list(point['steps'], `${path}.steps`, 2000).forEach((entry, i) => {
    const place = `${path}.steps[${i}]`;
    const steps = fields(entry, place, ['spacing', 'doublings', 'windows']);
    word(steps['spacing'], `${place}.spacing`, INTEGER);
    list(steps['doublings'], `${place}.doublings`, 100).forEach((doubling, j) => {
      word(doubling, `${place}.doublings[${j}]`, positive(2));
    });
    checkWindows(steps['windows'], `${place}.windows`);
  });
}

function checkComposition(value: unknown): void {
  const composition = fields(value, 'composition', ['ratio', 'windows']);
  word(composition['ratio'], 'composition.ratio', INTEGER);
  checkWindows(composition['windows'], 'composition.windows');
}

function checkWindows(value: unknown, path: string): void {
  list(value, path, 200).forEach((window, i) => {
    twoIntegers(window, `${path}[${i}]`, INDEX);
  });
}

/** An object with these fields and no others; with any where none are named. */
function fields(value: unknown, path: string, names?: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CertificateFormatError(`${path}: must be an object`);
  const missing = names?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw new CertificateFormatError(`${path}: ${missing} is missing`);
  const unknown = names && Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new CertificateFormatError(`${path}: ${JSON.stringify(unknown)} is not a field of a certificate`);
  return value as Readonly<Record<string, unknown>>;
}

function list(value: unknown, path: string, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most)
    throw new CertificateFormatError(`${path}: must be a list of at most ${most}`);
  return value;
}

function word(value: unknown, path: string, { pattern, words }: Form): void {
  if (typeof value !== 'string' || !pattern.test(value))
    throw new CertificateFormatError(`${path}: must be ${words}`);
}

function twoIntegers(value: unknown, path: string, form: Form): void {
  const ends = list(value, path, 2);
  if (ends.length !== 2) throw new CertificateFormatError(`${path}: must be two integers`);
  for (const end of ends) word(end, path, form);
}

function count(value: unknown, path: string, most: number): void {
  word(value, path, positive(4));
  if (Number(value) > most) throw new CertificateFormatError(`${path}: must be an integer from 1 to ${most}`);
}
