/** Checks between the threats of a config and what else it says. */
import { CRAFTED_ATTACKS } from '@shuffle-dp/core';
import type { Holding } from '../data/data-set-card.ts';
import { holdingOf } from '../data/data-sets.ts';
import type { ConfigPath, Refuse } from '../documents/config-error.ts';
import { asList } from '../documents/fields.ts';
import type { ExperimentConfig } from './schema.ts';
import { MAY_STAY_AWAY } from './stay-away.ts';
import type { ThreatsConfig } from './threat-schema.ts';
type ThreatSettings = Exclude<ThreatsConfig, readonly unknown[]>;

const MAY_BE_FAKE: readonly Holding[] = ['categories', 'numbers'];

/** @throws ConfigError by `refuse` */
export function checkThreats(config: ExperimentConfig, refuse: Refuse): void {
  const { threats } = config;
  if (threats === undefined) return;
  asList(threats).forEach((setting, i) => {
    const path: ConfigPath = Array.isArray(threats) ? ['threats', i] : ['threats'];
    checkDropout(setting, config, path, refuse);
    checkPoisoning(setting, config, [...path, 'poisoning'], refuse);
    const most =
      Math.max(...asList(setting.colluding ?? 0)) + Math.max(...asList(setting.poisoning?.fraction ?? 0));
    if (most >= 1)
      refuse(path, most, 'below 1, colluding and fake users together: some users must be honest');
  });
}

function checkDropout(
  { dropout }: ThreatSettings,
  { data }: ExperimentConfig,
  path: ConfigPath,
  refuse: Refuse,
): void {
  if (asList(dropout ?? 0).every((probability) => probability === 0)) return;
  const holds = holdingOf(data);
  if (!MAY_STAY_AWAY.includes(holds))
    refuse([...path, 'dropout'], dropout, `left out for ${holds}: it is for ${MAY_STAY_AWAY.join(', ')}`);
}

function checkPoisoning(
  { poisoning }: ThreatSettings,
  config: ExperimentConfig,
  path: ConfigPath,
  refuse: Refuse,
): void {
  if (poisoning === undefined) return;
  const { attack, targets } = poisoning;
  const holds = holdingOf(config.data);
  if (!MAY_BE_FAKE.includes(holds))
    refuse(path, poisoning, `left out for ${holds}: it is for ${MAY_BE_FAKE.join(', ')}`);
  if (holds === 'numbers') {
    if (attack !== 'input')
      refuse([...path, 'attack'], attack, "'input' for numbers: the upper end of the range");
    if (targets !== undefined) refuse([...path, 'targets'], targets, 'left out for numbers');
    return;
  }
  if (targets === undefined)
    refuse([...path, 'targets'], targets, 'given for categories: those that are promoted');
  if (!CRAFTED_ATTACKS.some((crafted) => crafted === attack)) return;
  checkCrafted(attack, config, [...path, 'attack'], refuse);
  checkJoined(attack, targets!, config, [...path, 'targets'], refuse);
}

/** Where messages are made a hash function has to be named, and none need join several targets. */
function checkJoined(
  attack: string,
  targets: NonNullable<NonNullable<ThreatSettings['poisoning']>['targets']>,
  { simulation, protocols }: ExperimentConfig,
  path: ConfigPath,
  refuse: Refuse,
): void {
  const hashed = protocols.some(
    (protocol) =>
      protocol.kind === 'frequency' &&
      (asList(protocol.randomizer) as readonly string[]).includes('local-hash'),
  );
  if (hashed && attack === 'maximal-gain' && simulation === 'messages' && asList(targets).length > 1)
    refuse(
      path,
      targets,
      'one for local-hash where every message is made: a hash function that joins several need not exist',
    );
}

/** Such messages are known of oracles; on the aggregated path counts are drawn one by one. */
function checkCrafted(
  attack: string,
  { simulation, measure, postprocess, error, protocols }: ExperimentConfig,
  path: ConfigPath,
  refuse: Refuse,
): void {
  const other = "'input' or 'random-item'";
  if (measure !== 'frequencies') refuse(path, attack, `${other} where ${measure} are measured`);
  if (
    simulation === 'aggregated' &&
    (postprocess === 'project-simplex' || error === 'maximum' || error === 'total-variation')
  )
    refuse(
      path,
      attack,
      `${other}, or simulation 'messages', for results that depend on all estimates together`,
    );
  const unknown = protocols.find(({ kind }) => kind !== 'frequency');
  if (unknown)
    refuse(path, attack, `${other} for ${unknown.kind}: the best message is known for frequency alone`);
}
