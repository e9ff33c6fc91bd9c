/** The claim of a certificate, all its numbers as text. */
import type { CentralTarget } from '@shuffle-dp/accounting';
import type { CertificateClaim } from '@shuffle-dp/certificates';
import type { MechanismModel } from '@shuffle-dp/core';
import { parameterTexts } from './certificate-atoms.ts';

export interface ClaimNumbers extends CentralTarget {
  readonly rounds: number;
}

/** The claim in the order of its fields in the file. */
export function claimOf(
  mechanism: string,
  { parameters }: MechanismModel,
  { users, rounds, epsilon, delta }: ClaimNumbers,
): CertificateClaim {
  return {
    mechanism,
    parameters: parameterTexts(parameters),
    users: `${users}`,
    rounds: `${rounds}`,
    adjacency: 'replace-one',
    epsilon: `${epsilon}`,
    delta: `${delta}`,
  };
}
