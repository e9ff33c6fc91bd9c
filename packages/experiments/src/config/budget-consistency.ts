/** Checks between budgets of the users' own and what else a config says. */
import { holdingOf } from '../data/data-sets.ts';
import type { ConfigPath, Refuse } from '../documents/config-error.ts';
import { asList } from '../documents/fields.ts';
import { PROTOCOL_CARDS } from './protocol-cards.ts';
import type { ExperimentConfig } from './schema.ts';

/** @throws ConfigError by `refuse` */
export function checkBudgets(config: ExperimentConfig, refuse: Refuse): void {
  const { budgets, budgetLevels, data, privacy, protocols, threats } = config;
  if (budgets === undefined) {
    if (budgetLevels !== undefined)
      refuse(['budgetLevels'], budgetLevels, "left out where no budgets of the users' own are given");
    return;
  }
  const served = PROTOCOL_CARDS.filter(({ ownBudgets }) => ownBudgets);
  const kinds = [...new Set(served.map(({ dataKind }) => dataKind))];
  const holds = holdingOf(data);
  if (!kinds.includes(holds))
    refuse(['budgets'], budgets, `left out: they are of ${kinds.join(' and ')} alone`);
  if (privacy.epsilon !== undefined)
    refuse(['privacy', 'epsilon'], privacy.epsilon, 'left out, or budgets: both set the local budgets');
  protocols.forEach((protocol, i) => {
    const own = served.find(({ kind }) => kind === protocol.kind)?.ownBudgets;
    if (own === undefined)
      return refuse(
        ['protocols', i, 'kind'],
        protocol.kind,
        `one of ${served.map(({ kind }) => kind).join(', ')} where users have budgets of their own`,
      );
    const { randomizer, ...fixed } = protocol as Readonly<Record<string, unknown>>;
    const other = asList(randomizer as string).find((name) => !own.includes(name));
    if (other !== undefined)
      refuse(
        ['protocols', i, 'randomizer'],
        other,
        `one of ${own.join(', ')} where users have budgets of their own`,
      );
    for (const name of ['epsilon0', 'sigma'])
      if (fixed[name] !== undefined)
        refuse(['protocols', i, name], fixed[name], 'left out: budgets already set the local budgets');
  });
  asList(threats ?? []).forEach((setting, i) => {
    const path: ConfigPath = Array.isArray(threats) ? ['threats', i] : ['threats'];
    for (const name of ['dropout', 'poisoning'] as const)
      if (setting[name] !== undefined)
        refuse(
          [...path, name],
          setting[name],
          'left out where users have budgets of their own: only collusion is accounted there',
        );
  });
}
