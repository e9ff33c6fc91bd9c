/** By which bound a spec of a plan is calibrated, where several are known. */
import { mayBeSharper } from '@shuffle-dp/protocols';
import type { Candidate } from './candidates.ts';

type Spec = Candidate['variants'][number];

/** The spec with accounting 'blanket' in place of 'sharpest'; any other stays as it is. */
export function byBlanketAlone(spec: Spec): Spec {
  return isBySharpest(spec) ? ({ ...spec, accounting: 'blanket' } as Spec) : spec;
}

/** The spec with accounting 'sharpest' in place of 'blanket', where a sharper bound may be known. */
export function bySharpest(spec: Spec): Spec {
  return isByBlanketAlone(spec) ? ({ ...spec, accounting: 'sharpest' } as Spec) : spec;
}

export function isBySharpest(spec: Spec): boolean {
  return isBy('sharpest', spec);
}

/** Whether a sharper bound may be known that it does not ask. */
export function isByBlanketAlone(spec: Spec): boolean {
  return isBy('blanket', spec) && mayBeSharper(spec.kind);
}

function isBy(accounting: string, spec: Spec): boolean {
  return 'accounting' in spec && spec.accounting === accounting;
}
