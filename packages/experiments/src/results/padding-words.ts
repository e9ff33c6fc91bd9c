/** What padding does to answers, in words. */
import { shortNumber } from '../words/short-number.ts';
import type { RunResult } from './run-result.ts';

/** The error that padding makes of frequencies; nothing where sets come in one size, or it is not known. */
export function paddingBiasWords({ padded, itemNames }: RunResult): string[] {
  if (padded === undefined) return [];
  const biases = padded.after.slice(0, padded.domain).map((after, item) => after - padded.before[item]!);
  const total = biases.reduce((sum, bias) => sum + bias * bias, 0);
  const size = biases.map(Math.abs);
  const most = size.indexOf(Math.max(...size));
  if (size[most] === 0) return ['Padding changes no frequency.'];
  const name = itemNames?.[most] ?? `item ${most}`;
  return [
    `Padding alone changes frequencies by a total squared ${shortNumber(total)}, whatever the number of users. It changes ${name} the most: ${shortNumber(padded.before[most]!)} of all users hold it, ${shortNumber(padded.after[most]!)} after padding. estimates.csv has all of them.`,
  ];
}
