/** Mechanisms under audit, as plain data that goes to threads, and their views. */
import type { LikelihoodAtoms, ParameterValues, SimulationPath } from '@shuffle-dp/core';
import { ParameterError } from '@shuffle-dp/core';
import { CATEGORY_RANDOMIZERS, NUMBER_RANDOMIZERS } from '@shuffle-dp/randomizers';
import { AUDITED_MECHANISMS } from '../account/mechanisms.ts';
import { categoryMessages, numberMessages, type AuditedMessages } from './audited-messages.ts';
import { aggregatedViews, messageViews, type OthersHold, type ViewSource } from './views.ts';

/** Which users' messages are drawn: all, or the victim's among counts of the others'. */
export type AuditPath = SimulationPath;

export interface AuditedMechanism {
  readonly mechanism: string;
  readonly parameters: ParameterValues;
  readonly users: number;
  readonly path: AuditPath;
}

/** On the message path each trial draws all users' messages. */
export const MOST_MESSAGE_USERS = 10_000;

/** @throws ParameterError for a mechanism that cannot be audited, or not on this path */
export function mechanismViews({ mechanism, parameters, users, path }: AuditedMechanism): ViewSource {
  const category = CATEGORY_RANDOMIZERS.find(({ name }) => name === mechanism);
  const number = NUMBER_RANDOMIZERS.find(({ name }) => name === mechanism);
  if (!category && !number)
    throw new ParameterError('mechanism', mechanism, `one of ${AUDITED_MECHANISMS.join(', ')} for an audit`);
  if (mechanism === 'hadamard' && (parameters['blocks'] ?? 1) !== 1)
    throw new ParameterError('blocks', parameters['blocks'], '1 for an audit');
  const setting = withDomain(mechanism, parameters);
  const messages: AuditedMessages = category
    ? categoryMessages(category.make(setting))
    : numberMessages(number!.make(parameters));
  if (path === 'messages') {
    if (users > MOST_MESSAGE_USERS)
      throw new ParameterError('users', users, `at most ${MOST_MESSAGE_USERS} where every message is drawn`);
    return messageViews(messages, users);
  }
  if (!category)
    throw new ParameterError(
      'simulation',
      path,
      `messages for ${mechanism}: its outputs are not counted in atoms`,
    );
  const atoms = statedAtoms(mechanism, category.make(setting).amplification().homogeneous);
  return aggregatedViews(messages, users, atoms);
}

/** Hadamard matrices and hash ranges are given without a domain. */
function withDomain(
  mechanism: string,
  parameters: ParameterValues,
): ParameterValues & Record<'epsilon0' | 'domain', number> {
  const { epsilon0 = NaN, domain = DOMAIN_OF[mechanism]?.(parameters) ?? NaN } = parameters;
  return { ...parameters, epsilon0, domain };
}

const DOMAIN_OF: Readonly<Record<string, (parameters: ParameterValues) => number>> = {
  hadamard: ({ order = 4 }) => order - 1,
  'local-hash': () => 16,
};

/** Data sets whose atoms do not depend on which inputs they are. */
const LABELS: Readonly<Record<string, OthersHold>> = {
  'all others hold a third value': 'a third input',
  "all others hold the victim's first value": "the victim's first input",
};

function statedAtoms(
  mechanism: string,
  homogeneous: readonly LikelihoodAtoms[],
): ReadonlyMap<OthersHold, LikelihoodAtoms> {
  const known = homogeneous.flatMap((atoms) => {
    const held = LABELS[atoms.label];
    return held === undefined ? [] : [[held, atoms] as const];
  });
  if (known.length === 0)
    throw new ParameterError(
      'simulation',
      'aggregated',
      `messages for ${mechanism}: no data set of equal users has atoms`,
    );
  return new Map(known);
}
