/** Whether what is proved of each group meets what it asked for: who is ranked at equal certified privacy. */
import { ACCOUNTING_COLUMN } from '../config/threat-columns.ts';
import { levelEpsilons } from '../config/level-epsilons.ts';
import { protocolTitle } from '../config/protocol-cards.ts';
import type { ExperimentConfig } from '../config/schema.ts';
import { shortEnd, shortNumber } from '../words/short-number.ts';
import type { CellResult, RunResult } from './run-result.ts';

type Privacy = Pick<ExperimentConfig['privacy'], 'levels' | 'shares'>;
type Certified = Pick<CellResult, 'certified' | 'delta' | 'levelDeltas' | 'sweep'>;

export interface GroupTarget {
  /** 'level 0.5', or 'all users'. */
  readonly group: string;
  /** Central epsilon in nats that the group asked for; null for what is told of no users' data. */
  readonly asked: number | null;
  /** What is proved, from above, and at which delta. */
  readonly proved: number;
  readonly delta: number;
  /** The delta that the group asked for: all users together for the least. */
  readonly askedDelta: number;
}

/** Whether the cell was calibrated so that what is proved, not what is published, meets the target. */
export function isAtCertifiedPrivacy({ sweep }: Pick<CellResult, 'sweep'>): boolean {
  return sweep[ACCOUNTING_COLUMN] === 'certified';
}

/** Group by group of what is proved; all users together ask for the least that one of them asks for. */
export function groupTargets(
  { certified, sweep, delta: ofAll, levelDeltas }: Certified,
  { levels: given }: Privacy,
): GroupTarget[] {
  const levels = given && levelEpsilons(given);
  const least = levelDeltas ? Math.min(...levelDeltas) : ofAll;
  return certified.map(({ group = 'all users', epsilon, delta }) => ({
    group,
    asked: askedBy(group, levels, sweep['targetEpsilon']),
    proved: epsilon.upper,
    delta,
    askedDelta: levelDeltas?.[levels?.findIndex((level) => group === `level ${level}`) ?? -1] ?? least,
  }));
}

/** Central epsilon that the users of a group asked for; null where nobody has. */
export function askedBy(
  group: string,
  levels: readonly number[] | undefined,
  target: number | string | undefined,
): number | null {
  if (levels === undefined) return typeof target === 'number' ? target : null;
  if (group === 'all users') return levels[0]!;
  return levels.find((level) => group === `level ${level}`) ?? null;
}

/**
 * The protocols that equal certified privacy leaves no cells of their own, as 'Slots (protocols[1])': their
 * accounting is replaced, coin-flip blankets and their slots as well, and what is left is another one's.
 */
export function turnedIntoOthers({ config, cells, refused = [] }: RunResult): string[] {
  const certified = new Set([...cells, ...refused].filter(isAtCertifiedPrivacy).map(({ series }) => series));
  if (certified.size === 0) return [];
  return config.protocols.flatMap((protocol, series) => {
    if (certified.has(series)) return [];
    const { kind, label } = protocol;
    const name = label ?? (kind === 'own-randomizer' ? kind : protocolTitle(protocol));
    return [`${name} (protocols[${series}])`];
  });
}

/** Why a protocol is not ranked at equal certified privacy; null where it is. */
export function whyNotRanked(cell: Certified, privacy: Privacy): string | null {
  const groups = groupTargets(cell, privacy);
  if (groups.length === 0) return 'nothing is proved';
  const unknown = groups.find(({ asked }) => asked === null);
  if (unknown) return `no target is set for ${unknown.group}, so that it cannot be judged`;
  const above = groups.filter(
    ({ asked, proved, delta, askedDelta }) => !(proved <= asked!) || delta > askedDelta,
  );
  if (above.length === 0) return null;
  return above
    .map(({ group, asked, proved, delta, askedDelta }) =>
      proved <= asked!
        ? `${group} asked for delta ${shortNumber(askedDelta)}, but the proof is at delta ${shortNumber(delta)}`
        : proved === Infinity
          ? `no epsilon is proved for ${group}`
          : `${group} asked for ${shortNumber(asked!)}, but the certified epsilon is ${shortEnd(proved, 'upper')}`,
    )
    .join('; ');
}

/**
 * Less than this share of what was asked for is more privacy than was asked for; the rest is what calibration
 * leaves.
 */
const MORE = 0.99;

/** 'level 2 asked for 2 and gets 1': groups with more privacy than they asked for. */
export function moreThanAsked(cell: Certified, privacy: Privacy): string[] {
  const { shares } = privacy;
  const levels = privacy.levels && levelEpsilons(privacy.levels);
  const least = groupTargets(cell, privacy).flatMap(({ group, asked, proved }) =>
    group === 'all users' && levels !== undefined
      ? levels.map((level) => ({ group: `level ${level}`, asked: level, proved }))
      : [{ group, asked, proved }],
  );
  return least
    .filter(({ group, asked, proved }) => {
      const share = shares?.[levels?.findIndex((level) => group === `level ${level}`) ?? -1];
      return asked !== null && share !== 0 && proved < MORE * asked;
    })
    .map(
      ({ group, asked, proved }) =>
        `${group} asked for ${shortNumber(asked!)} and gets ${shortEnd(proved, 'upper')}`,
    );
}
