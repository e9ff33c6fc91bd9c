/** One place of the map: which protocol errs least there, by what the users trust and may send. */
import { groupBy, ParameterError, type Trust } from '@shuffle-dp/core';
import { plan, type Plan, type PlannedProtocol, type PlanSetting } from '@shuffle-dp/experiments/plan';

/** What is allowed; each rule allows all that the one before does. */
export interface MapRule {
  readonly name: string;
  readonly trust: Trust;
  /** Messages of a user on average, at most. */
  readonly messages: number;
}

export const MAP_RULES: readonly MapRule[] = [
  { name: 'one message', trust: 'shuffler', messages: 1 },
  { name: 'any number of messages', trust: 'shuffler', messages: Infinity },
  { name: 'augmented shuffler', trust: 'augmented', messages: Infinity },
];

export type MapPlace = Pick<PlanSetting, 'task' | 'users' | 'domain' | 'items' | 'epsilon'>;

export interface MapWinner {
  readonly rule: MapRule;
  /** Null where nothing is left. */
  readonly best: PlannedProtocol | null;
  readonly second: PlannedProtocol | null;
}

export interface MapCell extends MapPlace {
  readonly delta: number;
  readonly winners: readonly MapWinner[];
}

/** A delta that stays below one in a hundred of all users. */
export function mapDelta(users: number): number {
  return Number((0.01 / users).toPrecision(3));
}

/** Every candidate is calibrated once, at its certified parameters; the rules choose among them. */
export function mapCell(place: MapPlace): MapCell {
  const delta = mapDelta(place.users);
  const rows = plannedRows({ ...place, delta, limits: { trust: 'augmented' } });
  const winners = MAP_RULES.map((rule): MapWinner => {
    const [best = null, second = null] = rows.filter(
      ({ trust, messages }) => (trust === 'shuffler' || trust === rule.trust) && messages <= rule.messages,
    );
    return { rule, best, second };
  });
  return { ...place, delta, winners };
}

/** How many places each protocol wins by a rule, most first; undefined stands for none. */
export function placesWon(cells: readonly MapCell[], rule: number): [string | undefined, number][] {
  return [...groupBy(cells, ({ winners }) => winners[rule]!.best?.protocol)]
    .map(([name, won]): [string | undefined, number] => [name, won.length])
    .toSorted(([, a], [, b]) => b - a);
}

function plannedRows(setting: PlanSetting): Plan['rows'] {
  try {
    return plan(setting).rows;
  } catch (error) {
    if (error instanceof ParameterError) return [];
    throw error;
  }
}
