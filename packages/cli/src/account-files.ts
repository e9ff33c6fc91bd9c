/** What `account` writes beside what it prints: a certificate, and points of the privacy profile. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import type { ParameterValues, Target } from '@shuffle-dp/core';
import { UsageError } from './exit.ts';

/** @throws UsageError before anything is computed */
export function requireWritable(flag: string, file: string): void {
  const folder = dirname(file);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new UsageError(`${flag} ${file}: must be in a folder that can be written to; ${folder} is none`);
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${flag} ${file}: must be a file; it is a folder`);
}

/** As JSON has it. */
export interface WrittenFiles {
  readonly certificate?: { readonly file: string; readonly epsilon: number; readonly delta: number };
  readonly profile?: { readonly file: string; readonly points: number };
}

interface AccountFiles {
  readonly name: string;
  readonly given: ParameterValues;
  readonly users: number;
  readonly target: Target;
  readonly certificate: string | undefined;
  readonly profile: string | undefined;
}

/** @throws NoCertificateError */
export async function writeAccountFiles(asked: AccountFiles): Promise<WrittenFiles> {
  const [
    { certify, privacyProfilePoints, profileCsv },
    { mechanismModel },
    { jsonText, writeFileAtomically },
  ] = await Promise.all([
    import('@shuffle-dp/experiments/certify'),
    import('@shuffle-dp/experiments/account'),
    import('@shuffle-dp/experiments/run-folder'),
  ]);
  const { name, given, users, target, certificate, profile } = asked;
  const model = mechanismModel(name, given);
  let written: WrittenFiles = {};
  if (certificate !== undefined) {
    const { certificateText } = await import('@shuffle-dp/certificates');
    const content = certify(name, model, users, target);
    writeFileAtomically(certificate, certificateText(content));
    const { epsilon, delta } = content.claim;
    written = { certificate: { file: certificate, epsilon: Number(epsilon), delta: Number(delta) } };
  }
  if (profile !== undefined) {
    const points = privacyProfilePoints(name, given, users);
    const document = {
      mechanism: name,
      parameters: model.parameters,
      users,
      adjacency: 'replace-one',
      points,
    };
    const isJson = extname(profile) === '.json';
    writeFileAtomically(profile, isJson ? jsonText(document) : profileCsv(points));
    written = { ...written, profile: { file: profile, points: points.length } };
  }
  return written;
}

export function writtenLines({ certificate, profile }: WrittenFiles): string[] {
  return [
    ...(certificate
      ? [
          '',
          `${certificate.file} certifies epsilon ${certificate.epsilon} at delta ${certificate.delta} by the blanket; recheck it with: shuffle-dp verify ${certificate.file}`,
        ]
      : []),
    ...(profile
      ? ['', `${profile.file} has ${profile.points} points of delta(epsilon), each from above`]
      : []),
  ];
}
