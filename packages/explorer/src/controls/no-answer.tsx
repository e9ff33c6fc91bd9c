/** What stands where an answer would: that it was refused, or that it is being computed. */
import type { JSX } from 'preact';
import { WorkBadge } from './work-badge.tsx';

export function Refused({ message }: { readonly message: string }): JSX.Element {
  return (
    <section class="headline" aria-live="polite">
      <p class="refusal">{message}</p>
    </section>
  );
}

export function Working({
  doing,
  seconds,
}: {
  readonly doing: string;
  readonly seconds: number | null;
}): JSX.Element {
  return (
    <section class="headline">
      <p class="what">
        {doing} <WorkBadge seconds={seconds} isWhole={false} />
      </p>
    </section>
  );
}
