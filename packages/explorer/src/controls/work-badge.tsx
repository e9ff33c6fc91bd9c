/** Whether what stands there is the last word. */
import type { JSX } from 'preact';

/** Seconds after which waiting is told in numbers. */
const LONG = 2;

export function WorkBadge({
  seconds,
  isWhole,
  isFormer = false,
}: {
  readonly seconds: number | null;
  readonly isWhole: boolean;
  /** Whether it is of what stood in the fields before: it stays until the next one comes. */
  readonly isFormer?: boolean;
}): JSX.Element {
  const text =
    seconds === null
      ? isWhole
        ? 'sharp'
        : 'stopped'
      : seconds < LONG
        ? 'sharpening'
        : `sharpening for ${seconds} s`;
  const waiting = seconds !== null && seconds >= LONG ? `; computing for ${seconds} s` : '';
  return (
    <span class="work" data-work={isFormer ? 'former' : seconds === null ? '' : text}>
      {isFormer ? `of the former inputs${waiting}` : text}
    </span>
  );
}
