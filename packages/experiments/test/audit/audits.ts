/** Audits in this thread. */
import { certifiedEpsilon } from '@shuffle-dp/accounting';
import type { AmplificationProfile } from '@shuffle-dp/core';
import { generalizedRandomizedResponse } from '@shuffle-dp/randomizers';
import { audit, type AuditClaim, type AuditResult } from '../../src/audit/audit.ts';
import { performTrials } from '../../src/audit/audit-tasks.ts';
import { mechanismViews } from '../../src/audit/audited-mechanism.ts';
import type { ViewSource } from '../../src/audit/views.ts';

interface Stated {
  readonly epsilon0: number;
  amplification(): AmplificationProfile;
}

/** What is certified of the profile. */
export function claimsOf(
  { epsilon0, amplification }: Stated,
  users: number,
  deltas: readonly number[],
): AuditClaim[] {
  return deltas.map((delta) => ({
    delta,
    allowed: certifiedEpsilon(amplification(), users, delta, { epsilon0 }).upper,
  }));
}

export function auditOf(
  source: ViewSource,
  claims: readonly AuditClaim[],
  trials: number,
  { confidence = 0.99, seed = 'test' } = {},
): Promise<AuditResult> {
  return audit(source, { claims, trials, confidence, seed }, { lanes: 1, run: inThisThread(source) });
}

function inThisThread(source: ViewSource) {
  return async (task: Parameters<typeof performTrials>[1]): Promise<Float64Array> =>
    performTrials(source, task);
}

/** How many of so many audits of a correct program, at confidence 0.95, find nothing. */
export async function consistentAudits(audits: number): Promise<number> {
  const parameters = { epsilon0: 1, domain: 4 };
  const source = mechanismViews({ mechanism: 'grr', parameters, users: 50, path: 'aggregated' });
  const claims = claimsOf(generalizedRandomizedResponse(parameters), 50, [0.02, 0.001]);
  let consistent = 0;
  for (let run = 0; run < audits; run++) {
    const { verdict } = await auditOf(source, claims, 2000, { confidence: 0.95, seed: `run ${run}` });
    if (verdict === 'consistent') consistent++;
  }
  return consistent;
}
