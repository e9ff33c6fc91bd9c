/**
 * What `account` and `compose` write beside what they print: a certificate, and points of the privacy
 * profile.
 */
import { accessSync, constants, lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError, type ParameterValues, type Target } from '@shuffle-dp/core';
import { systemReason } from '@shuffle-dp/experiments/words';
import { fileWord } from './options/shell-word.ts';

/** @throws UsageError before anything is computed */
export function requireWritable(flag: string, file: string): void {
  const folder = dirname(file);
  const refused = `${flag} ${file}: cannot be written`;
  orRefused(`${refused}: ${folder}`, () => accessSync(folder, constants.W_OK));
  const there = orRefused(refused, () => lstatSync(file, { throwIfNoEntry: false }));
  if (there && !there.isFile())
    throw new UsageError(`${flag} ${file}: must be a file; it is ${nameOfKind(there)}`);
}

/** @throws UsageError with the system's reason */
function orRefused<Result>(refused: string, look: () => Result): Result {
  try {
    return look();
  } catch (error) {
    throw new UsageError(`${refused}: ${systemReason(error)}`);
  }
}

/** A file takes the place of what is there: it would be that of a device, or of a link to it. */
function nameOfKind(there: Stats): string {
  if (there.isDirectory()) return 'a folder';
  return there.isSymbolicLink() ? 'a link' : 'no plain file';
}

export interface WrittenCertificate {
  readonly file: string;
  readonly epsilon: number;
  readonly delta: number;
}

/** As JSON has it. */
export interface WrittenFiles {
  readonly certificate?: WrittenCertificate;
  readonly profile?: { readonly file: string; readonly points: number };
}

interface AccountFiles extends Omit<CertifiedRounds, 'rounds'> {
  readonly certificate: string | undefined;
  readonly profile: string | undefined;
}

/** @throws NoCertificateError */
export async function writeAccountFiles(asked: AccountFiles): Promise<WrittenFiles> {
  const { name, given, users, target, certificate, profile } = asked;
  let written: WrittenFiles = {};
  if (certificate !== undefined)
    written = { certificate: await writeCertificate(certificate, { name, given, users, rounds: 1, target }) };
  if (profile !== undefined) {
    const [{ privacyProfilePoints, profileCsv }, { mechanismModel }, { jsonText, writeFileAtomically }] =
      await Promise.all([
        import('@shuffle-dp/experiments/certify'),
        import('@shuffle-dp/experiments/account'),
        import('@shuffle-dp/experiments/run-folder'),
      ]);
    const points = privacyProfilePoints(name, given, users);
    const document = {
      mechanism: name,
      parameters: mechanismModel(name, given).parameters,
      users,
      adjacency: 'replace-one',
      points,
    };
    const isJson = /\.json$/iu.test(profile);
    writeFileAtomically(profile, isJson ? jsonText(document) : profileCsv(points));
    written = { ...written, profile: { file: profile, points: points.length } };
  }
  return written;
}

interface CertifiedRounds {
  readonly name: string;
  readonly given: ParameterValues;
  readonly users: number;
  readonly rounds: number;
  readonly target: Target;
}

/** @throws NoCertificateError */
export async function writeCertificate(
  file: string,
  { name, given, users, rounds, target }: CertifiedRounds,
): Promise<WrittenCertificate> {
  const [{ certifyRounds }, { mechanismModel }, { writeFileAtomically }, { certificateText }] =
    await Promise.all([
      import('@shuffle-dp/experiments/certify'),
      import('@shuffle-dp/experiments/account'),
      import('@shuffle-dp/experiments/run-folder'),
      import('@shuffle-dp/certificates'),
    ]);
  const content = certifyRounds(name, mechanismModel(name, given), users, rounds, target);
  writeFileAtomically(file, certificateText(content));
  const { epsilon, delta } = content.claim;
  return { file, epsilon: Number(epsilon), delta: Number(delta) };
}

/**
 * A certificate whose epsilon is larger by more than this part than what is printed above it says so; delta
 * moves ten times as much.
 */
const WORTH_TELLING = 0.01;

/** The least delta above 0 for which `certify` looks. */
const LEAST_CERTIFIED = 1e-100;

/** The end that is proved of what was asked for, and whether it is the blanket's, as a certificate's is. */
export interface ProvedEnd {
  readonly upper: number;
  readonly isOfBlanket: boolean;
}

export function certificateLines(
  { file, epsilon, delta }: WrittenCertificate,
  target: Target,
  proved: ProvedEnd,
): string[] {
  return [
    '',
    `${file} certifies epsilon ${epsilon} at delta ${delta} by the blanket; recheck it with: shuffle-dp verify ${fileWord(file)}`,
    ...('delta' in target
      ? excessLines('epsilon', epsilon, proved, WORTH_TELLING)
      : excessLines('delta', delta, proved, 10 * WORTH_TELLING)),
  ];
}

function excessLines(
  asked: 'epsilon' | 'delta',
  certified: number,
  { upper, isOfBlanket }: ProvedEnd,
  worth: number,
): string[] {
  if (!(certified > upper * (1 + worth))) return [];
  const larger = `Its ${asked} is larger than the one proved above`;
  if (upper === 0) return [`${larger}, which is 0: there is no certificate for 0.`];
  if (asked === 'delta' && upper < LEAST_CERTIFIED)
    return [`${larger}: no certificate is made for a delta below ${LEAST_CERTIFIED}.`];
  const why = isOfBlanket
    ? 'a certificate puts losses on a coarser lattice, so that rechecking it is fast.'
    : 'the proved one rests on more than the blanket, and has no certificate.';
  return [`${larger}, by ${shareText(certified / upper - 1)}: ${why}`];
}

function shareText(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}

export function writtenLines(
  { certificate, profile }: WrittenFiles,
  target: Target,
  proved: ProvedEnd,
): string[] {
  return [
    ...(certificate ? certificateLines(certificate, target, proved) : []),
    ...(profile
      ? ['', `${profile.file} has ${profile.points} points of delta(epsilon), each an upper bound`]
      : []),
  ];
}
