/** Whether what stands there is the last word. */
import type { JSX } from 'preact';

/** Seconds after which waiting is told in numbers. */
const LONG = 2;

export function WorkBadge({
  seconds,
  isWhole,
}: {
  readonly seconds: number | null;
  readonly isWhole: boolean;
}): JSX.Element {
  const text =
    seconds === null
      ? isWhole
        ? 'sharp'
        : 'stopped'
      : seconds < LONG
        ? 'sharpening'
        : `sharpening for ${seconds} s`;
  return (
    <span class="work" data-work={seconds === null ? '' : text}>
      {text}
    </span>
  );
}
