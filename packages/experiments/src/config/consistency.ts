/** Checks between fields of a config: each field is in its own range when these run. */
import { PROTOCOL_CARDS } from './protocol-cards.ts';
import { CATEGORY_RANDOMIZERS } from '@shuffle-dp/randomizers';
import { refusal, type Refuse } from '../documents/config-error.ts';
import { asList } from '../documents/fields.ts';
import type { Holding } from '../data/data-set-card.ts';
import { holdingOf, isSetData } from '../data/data-sets.ts';
import { MEASURES } from './measures.ts';
import { levelEpsilons } from './level-epsilons.ts';
import type { ExperimentConfig } from './schema.ts';
import { checkBudgets } from './budget-consistency.ts';
import { checkData, checkSum } from './data-consistency.ts';
import { checkLabels } from './label-consistency.ts';
import { checkThreats } from './threat-consistency.ts';

type Protocol = ExperimentConfig['protocols'][number];

/** Refuses a field of one protocol. */
type RefuseField = (field: string, given: unknown, allowed: string) => never;

/** @throws ConfigError */
export function checkConsistency(config: ExperimentConfig, file: string): void {
  const refuse: Refuse = (path, given, allowed) => {
    throw refusal(file, path, given, allowed);
  };
  checkData(config, refuse);
  checkUsers(config, refuse);
  checkLabels(config, refuse);
  checkError(config, refuse);
  if (isSetData(config.data)) checkSetPrivacy(config, refuse);
  else checkTargetPrivacy(config, refuse);
  checkBudgets(config, refuse);
  checkAccounting(config, refuse);
  checkMeasure(config, refuse);
  checkTop(config, refuse);
  checkProtocols(config, refuse);
  checkThreats(config, refuse);
}

function checkUsers(config: ExperimentConfig, refuse: Refuse): void {
  const { data } = config;
  asList(config.users).forEach((users, i, list) => {
    const path = Array.isArray(config.users) ? ['users', i] : ['users'];
    if (users === 'all' && !('path' in data))
      refuse(path, users, "a number: 'all' is only for data read from a file");
    if (list.indexOf(users) !== i) refuse(path, users, 'listed once');
  });
}

function checkError({ measure, error }: ExperimentConfig, refuse: Refuse): void {
  if (measure === 'ranges' && error !== 'total-squared')
    refuse(['error'], error, 'left out where ranges are measured: it says how errors of frequencies add up');
}

function checkSetPrivacy({ measure, privacy }: ExperimentConfig, refuse: Refuse): void {
  const { levels, shares } = privacy;
  if (measure === 'ranges')
    refuse(['measure'], measure, "'frequencies' for set-valued data: ranges need one category per user");
  if (privacy.epsilon !== undefined)
    refuse(['privacy', 'epsilon'], privacy.epsilon, 'left out: set-valued data have levels');
  if (levels === undefined)
    return refuse(['privacy', 'levels'], levels, 'given for set-valued data: a list of epsilons');
  levelEpsilons(levels).forEach((level, k, all) => {
    if (k > 0 && level <= all[k - 1]!) {
      refuse(['privacy', 'levels', k], level, `greater than the level before it, ${all[k - 1]}`);
    }
  });
  if (shares === undefined && levels.length > 1) {
    refuse(['privacy', 'shares'], shares, `given: ${levels.length} fractions of the users, one per level`);
  }
  if (shares !== undefined) {
    if (shares.length !== levels.length)
      refuse(['privacy', 'shares'], shares, `a list of ${levels.length}, one per level`);
    checkSum(['privacy', 'shares'], shares, refuse);
  }
}

/** Nothing is met for users without a target. */
function checkAccounting({ data, privacy }: ExperimentConfig, refuse: Refuse): void {
  const { accounting, epsilon } = privacy;
  const certified = asList(accounting ?? 'published').includes('certified');
  if (certified && 'padding' in data && data.padding === 'truncate')
    refuse(
      ['data', 'padding'],
      data.padding,
      "'fill' or 'dummy' at equal certified privacy: with 'truncate', absence shows that a user holds too few items",
    );
  if (certified && !isSetData(data) && epsilon === undefined)
    refuse(
      ['privacy', 'accounting'],
      accounting,
      "'published', or privacy.epsilon given: it is the target to be met",
    );
}

/** What is measured has to be there, and so has what is done to the estimates. */
function checkMeasure({ data, measure, error, postprocess }: ExperimentConfig, refuse: Refuse): void {
  const holds = holdingOf(data);
  const measures = MEASURES[holds];
  if (!measures.includes(measure))
    refuse(['measure'], measure, `${measures.join(' or ')} for ${NOUNS[holds]}`);
  if (measure === 'frequencies' || measure === 'ranges') return;
  if (error === 'total-variation')
    refuse(['error'], error, 'left out: it is an error of frequencies, which sum to a known number');
  if (postprocess === 'project-simplex')
    refuse(['postprocess'], postprocess, "'none' or 'clip': only frequencies sum to a known number");
}

/** How many are looked for, where most are not. */
function checkTop({ data, top, error }: ExperimentConfig, refuse: Refuse): void {
  const identifiers = holdingOf(data) === 'identifiers';
  if (!identifiers && top !== undefined) refuse(['top'], top, 'left out: only identifiers are searched for');
  if (identifiers && top === undefined) refuse(['top'], top, 'given: how many identifiers to find');
  if (identifiers && error !== 'total-squared')
    refuse(['error'], error, 'left out: most identifiers are not estimated');
  if ('different' in data && data.different > 2 ** data.bits)
    refuse(['data', 'different'], data.different, `at most 2^${data.bits}`);
  if (identifiers && top! > ('bits' in data ? 2 ** data.bits : Infinity))
    refuse(['top'], top, 'at most as many as there are identifiers');
}

const NOUNS: { readonly [Held in Holding]: string } = {
  categories: 'categories',
  sets: 'set-valued data',
  numbers: 'numbers',
  'key-values': 'key-value pairs',
  vectors: 'vectors',
  places: 'places',
  identifiers: 'identifiers',
};

function checkTargetPrivacy({ data, privacy }: ExperimentConfig, refuse: Refuse): void {
  const noun = NOUNS[holdingOf(data)];
  for (const field of ['levels', 'shares'] as const) {
    if (privacy[field] !== undefined) {
      refuse(
        ['privacy', field],
        privacy[field],
        `left out: ${noun} have one central target, privacy.epsilon`,
      );
    }
  }
}

/** What a single message's privacy is set by: its local budget, or the noise that has none. */
function budgetOf(protocol: Protocol): {
  readonly name: 'epsilon0' | 'sigma';
  readonly words: string;
  readonly given: unknown;
} {
  const { epsilon0, sigma } = protocol as { readonly epsilon0?: unknown; readonly sigma?: unknown };
  return sigma === undefined
    ? { name: 'epsilon0', words: 'local budget', given: epsilon0 }
    : { name: 'sigma', words: 'noise', given: sigma };
}

function checkProtocols(
  { data, privacy, protocols, budgets, simulation }: ExperimentConfig,
  refuse: Refuse,
): void {
  protocols.forEach((protocol, i) => {
    const refuseField: RefuseField = (field, given, allowed) =>
      refuse(['protocols', i, field], given, allowed);
    const card = PROTOCOL_CARDS.find(({ kind }) => kind === protocol.kind);
    const holds = holdingOf(data);
    if ((card?.dataKind ?? 'categories') !== holds) {
      const allowed = `a protocol for ${NOUNS[holds]}, as data.kind is ${data.kind}`;
      refuseField('kind', protocol.kind, allowed);
    }
    // Told before anything is accounted for, where it does not depend on parameters.
    if (card?.messagesOnly && simulation === 'aggregated')
      refuse(['simulation'], simulation, `'messages' for ${card.title}, and 'aggregated' is the default`);
    const single = card === undefined || card.setByTarget === 'local budget';
    const budget = budgetOf(protocol);
    if (single && budgets === undefined && budget.given === undefined && privacy.epsilon === undefined) {
      refuseField(budget.name, undefined, 'given, or privacy.epsilon');
    }
    if (single && budget.given !== undefined && privacy.epsilon !== undefined) {
      refuseField(budget.name, budget.given, `left out: privacy.epsilon already sets the ${budget.words}`);
    }
    if (card?.setByTarget === 'noise' && privacy.epsilon === undefined)
      refuse(['privacy', 'epsilon'], undefined, `given: it sets the noise of ${protocol.kind}`);
    if (protocol.kind === 'frequency') checkRandomizerOptions(protocol, refuseField);
    if (card?.setByTarget.startsWith('blankets')) {
      const flipToo = card.setByTarget === 'blankets or flip';
      if (privacy.epsilon === undefined) checkUntargeted(protocol, flipToo, refuseField);
      else checkTargeted(protocol, flipToo, refuseField);
    }
    checkBlankets(protocol, refuseField);
  });
}

/** An option is of those randomizers whose cards list it. */
function checkRandomizerOptions(
  protocol: Extract<Protocol, { kind: 'frequency' }>,
  refuse: RefuseField,
): void {
  const names = new Set(CATEGORY_RANDOMIZERS.flatMap(({ options }) => options.map(({ name }) => name)));
  for (const option of names) {
    const given = protocol[option];
    const users = CATEGORY_RANDOMIZERS.filter(({ options }) => options.some(({ name }) => name === option));
    const other = asList(protocol.randomizer).find((name) => users.every((user) => user.name !== name));
    if (given !== undefined && other !== undefined)
      refuse(
        option,
        given,
        `left out for randomizer ${other}: only ${users.map(({ name }) => name).join(', ')} uses it`,
      );
  }
}

/** Without a central target all that one would set is to be given. */
function checkUntargeted(protocol: Protocol, flipToo: boolean, refuse: RefuseField): void {
  const { blanketRate, flip } = protocol as { readonly blanketRate?: unknown; readonly flip?: unknown };
  if (blanketRate === undefined) refuse('blanketRate', undefined, 'given, or privacy.epsilon');
  if (flipToo && flip === undefined) refuse('flip', undefined, 'given, or privacy.epsilon');
}

/** With a central target something is to be left to set. */
function checkTargeted(protocol: Protocol, flipToo: boolean, refuse: RefuseField): void {
  const { blanketRate, flip } = protocol as { readonly blanketRate?: unknown; readonly flip?: unknown };
  if (blanketRate === undefined) return;
  if (!flipToo) refuse('blanketRate', blanketRate, 'left out: privacy.epsilon already sets the blankets');
  if (flip !== undefined) refuse('flip', flip, 'left out, or blanketRate: privacy.epsilon sets one of them');
}

function checkBlankets(protocol: Protocol, refuse: RefuseField): void {
  if (!('blankets' in protocol || 'successProbability' in protocol)) return;
  const { blankets, accounting, successProbability } = protocol;
  if (blankets === 'paper' && accounting === 'exact') {
    refuse('blankets', blankets, "'poisson' or 'negative-binomial' for the exact accounting");
  }
  if (blankets === 'negative-binomial' && accounting !== undefined && accounting !== 'exact') {
    refuse('accounting', accounting, "'exact' for negative-binomial blankets");
  }
  if (successProbability !== undefined && blankets !== 'negative-binomial') {
    refuse('successProbability', successProbability, "left out, or blankets 'negative-binomial'");
  }
}
