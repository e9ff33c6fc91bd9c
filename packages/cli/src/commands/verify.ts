import { readFileSync, statSync } from 'node:fs';
import { Command } from 'commander';
import { UsageError } from '@shuffle-dp/core';
import {
  CertificateFormatError,
  decimalValue,
  verifyCertificate,
  type CertificateVerdict,
} from '@shuffle-dp/certificates';
import { counted, systemReason } from '@shuffle-dp/experiments/words';
import { CheckFailedError } from '../exit.ts';
import { printJson, printText } from '../output/print.ts';

/** Larger files are no certificates that this program wrote. */
const MOST_BYTES = 64 * 2 ** 20;

const HELP = `
Examples:
  shuffle-dp account grr --epsilon0 1 --domain 16 --users 10000 --delta 1e-6 --certificate grr.json
  shuffle-dp verify grr.json

Exit codes: 0 where the claim holds, 1 where it does not, 2 for a file that is no certificate.`;

export function verifyCommand(): Command {
  return new Command('verify')
    .argument('<file>', 'a certificate, as `account --certificate` or `compose --certificate` writes it')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'accepted by every command; this one shows no progress')
    .addHelpText('after', HELP)
    .action((file: string, options: { readonly json?: boolean }) => {
      const verdict = verdictOn(file);
      const { valid, claim, atoms, reason } = verdict;
      if (options.json)
        printJson({
          valid,
          epsilon: numberAbove(claim.epsilon),
          delta: numberAbove(claim.delta),
          claim,
          atoms,
          ...(reason === undefined ? {} : { reason }),
        });
      else if (valid) printText(verdictText(verdict));
      if (!valid) throw new CheckFailedError(`${file}: does not hold: ${reason}`);
    });
}

/** @throws UsageError */
function verdictOn(file: string): CertificateVerdict {
  try {
    const stat = statSync(file);
    // What has no size, such as a device or a pipe, may never end.
    if (!stat.isFile() && !stat.isDirectory()) throw new CertificateFormatError('it is no plain file');
    if (stat.size > MOST_BYTES) throw new CertificateFormatError('it is too large');
    return verifyCertificate(readFileSync(file));
  } catch (error) {
    if (error instanceof CertificateFormatError)
      throw new UsageError(`${file}: must be a certificate: ${error.message}`);
    if (error instanceof Error && 'syscall' in error)
      throw new UsageError(`${file}: cannot be read: ${systemReason(error)}`);
    throw error;
  }
}

/** A double that is not below the decimal, as whoever reads it takes it for what is proved. */
function numberAbove(text: string): number {
  const near = Number(text);
  const [exact, shown] = [decimalValue(text), decimalValue(`${near}`)];
  const isAbove =
    exact && shown && shown.numerator * exact.denominator >= exact.numerator * shown.denominator;
  return isAbove ? near : near * (1 + Number.EPSILON) + Number.MIN_VALUE;
}

function verdictText({ claim, atoms }: CertificateVerdict): string {
  const { mechanism, parameters, users, rounds, epsilon, delta } = claim;
  const given = Object.entries(parameters).map(([name, value]) => `${name} ${value}`);
  const often = rounds === '1' ? '' : `${rounds} rounds of `;
  const subject = `${often}${mechanism} (${given.join(', ')}), ${counted(Number(users), 'user')}, replace-one`;
  const privacy = `epsilon ${epsilon} at delta ${delta}`;
  const masses =
    atoms === 'recomputed'
      ? 'masses recomputed from the parameters'
      : 'masses as the file states them: they were not compared with those of the mechanism';
  return `${subject}\nholds: ${privacy}\n${masses}`;
}
