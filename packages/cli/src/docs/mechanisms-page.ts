/** docs/mechanisms.md: every mechanism of `account`, with what its randomizer and its accountants compute. */
import { accountMechanism, exampleCommand, flagName, MECHANISMS } from '@shuffle-dp/experiments/account';
import { rangeText, type MechanismCard } from '@shuffle-dp/core';
import { GENERATED, markdownTable } from '@shuffle-dp/experiments/report';

const USERS = 10_000;
const DELTA = 1e-6;

export function mechanismsPage(): string {
  return `${[
    '# Mechanisms',
    GENERATED,
    'What `shuffle-dp account` knows. In formulas `p = e^epsilon0`, d is the domain, C_v the number of messages that support\ncategory v, n the users. `(p, beta, q)` are the variation-ratio parameters: the largest ratio of the victim’s two laws, their\ntotal variation, and the largest ratio of a victim’s law to any other user’s.',
    '## At their examples',
    `Central epsilon at ${USERS.toLocaleString('en')} users and delta = 1e-6, bracketed; the parameters are those of the examples below.`,
    markdownTable(['mechanism', 'p', 'beta', 'q', 'epsilon from', 'to'], MECHANISMS.map(exampleRow)),
    ...MECHANISMS.map(section),
  ].join('\n\n')}\n`;
}

function exampleRow({ name, example }: MechanismCard): string[] {
  const { variationRatio, bracket } = accountMechanism(name, example, USERS, { delta: DELTA });
  const { p, beta, q } = variationRatio ?? {};
  return [`\`${name}\``, ...[p, beta, q, bracket.lower, bracket.upper].map(fourDigits)];
}

/** Four digits are the same on every machine. */
export function fourDigits(value: number | null | undefined): string {
  if (value === null || value === undefined) return '-';
  return value === Infinity ? 'inf' : String(Number(value.toPrecision(4)));
}

function section(mechanism: MechanismCard): string {
  const { name, title, description, source, usersMean, ratios, estimator, parameters } = mechanism;
  return [
    `## \`${name}\`: ${title}`,
    description,
    markdownTable(
      ['parameter', 'range', 'meaning'],
      parameters.map((parameter) => [
        `\`--${flagName(parameter.name)}\`${parameter.required ? '' : ' (optional)'}`,
        `\`${rangeText(parameter)}\``,
        parameter.description,
      ]),
    ),
    [
      `- Users: ${usersMean}.`,
      ratios
        ? `- Variation ratio: \`p = ${ratios.p}\`, \`beta = ${ratios.beta}\`, \`q = ${ratios.q}\`.`
        : '- Variation ratio: none is published.',
      `- Estimator: \`${estimator}\`.`,
      `- Source: ${source}.`,
      `- Example: \`${exampleCommand(mechanism)}\``,
    ].join('\n'),
  ].join('\n\n');
}
