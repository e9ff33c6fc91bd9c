/** A link may name what does not exist here: the page says so beside what it shows in its place. */
import type { JSX } from 'preact';

export function ShownInstead({
  kind,
  asked,
  shown,
}: {
  readonly kind: string;
  readonly asked: string | null;
  readonly shown: string;
}): JSX.Element | null {
  if (asked === null) return null;
  return (
    <p class="refusal" role="status">
      There is no {kind} “{asked}” here. This is {shown}.
    </p>
  );
}
