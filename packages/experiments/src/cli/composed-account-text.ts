/** A composition as text and as JSON. */
import { counted } from '../config/counted.ts';
import type { ComposedAccount } from '../account/compose-account.ts';
import { shortNumber, textTable } from './text-table.ts';

const DIGITS = 6;

/** JSON has no infinity: null stands for it. */
export function composedJson({
  schedule,
  rounds,
  target,
  bracket,
  sound,
  reason,
  baselines,
}: ComposedAccount): object {
  const asked = 'delta' in target ? 'epsilon' : 'delta';
  return {
    schedule: schedule.map(({ parameters, ...rest }) => ({
      ...rest,
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([key, value]) => [key, value === Infinity ? 'inf' : value]),
      ),
    })),
    rounds,
    adjacency: 'replace-one',
    ...target,
    [asked]: { lower: bracket.lower, upper: finite(bracket.upper) },
    sound,
    ...(reason === undefined ? {} : { reason }),
    ...(baselines === null
      ? {}
      : {
          baselines: {
            basic: finite(baselines.basic),
            advanced: finite(baselines.advanced),
            renyi: baselines.renyi,
            gaussianLimit: baselines.gaussianLimit,
          },
        }),
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export function composedText({ rounds, target, bracket, sound, reason, baselines }: ComposedAccount): string {
  const asked = 'delta' in target ? 'epsilon' : 'delta';
  const proved = sound === true ? 'proved' : `${reason}`;
  const lines = [
    `${counted(rounds, 'round')}: ${asked} between ${shortNumber(bracket.lower, DIGITS)} and ${shortNumber(bracket.upper, DIGITS)} (${proved})`,
  ];
  if (baselines) {
    const rows = [
      ['basic composition', 'upper', shortNumber(baselines.basic, DIGITS)],
      ['advanced composition', 'upper', shortNumber(baselines.advanced, DIGITS)],
      ...(baselines.renyi === null
        ? []
        : [['Renyi composition', 'upper, unproven', shortNumber(baselines.renyi, DIGITS)]]),
      ...(baselines.gaussianLimit === null
        ? []
        : [['Gaussian limit', 'heuristic', shortNumber(baselines.gaussianLimit, DIGITS)]]),
    ];
    lines.push('', textTable(['beside it', 'side', asked], rows));
  }
  return lines.join('\n');
}
