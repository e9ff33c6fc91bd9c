/** docs/mechanisms.md: every mechanism of `account`, with what its randomizer and its accountants compute. */
import { exampleCommand, flagName, MECHANISMS, type Account } from '@shuffle-dp/experiments/account';
import { countedUsers, rangeText, type MechanismCard } from '@shuffle-dp/core';
import { GENERATED, markdownTable } from '@shuffle-dp/experiments/report';
import { shortEnd } from '@shuffle-dp/experiments/words';
import { exampleAccounts, USERS } from './example-accounts.ts';

export function mechanismsPage(): string {
  return `${[
    '# Mechanisms',
    GENERATED,
    'The mechanisms that `shuffle-dp account` knows. In formulas `p = e^epsilon0`, d is the domain, C_v the number of messages that support\ncategory v, n the users. `(p, beta, q)` are the variation-ratio parameters: the largest ratio of the victim’s two laws, their\ntotal variation, and the largest ratio of a victim’s law to any other user’s.',
    '## At their examples',
    `Central epsilon at ${USERS.toLocaleString('en')} users and delta = 1e-6, bracketed; the parameters are those of the examples below.`,
    markdownTable(['mechanism', 'p', 'beta', 'q', 'epsilon from', 'to'], exampleAccounts().map(exampleRow)),
    ...mechanismSections(),
  ].join('\n\n')}\n`;
}

/** One for each mechanism, below the table of all. */
export function mechanismSections(): string[] {
  return MECHANISMS.map(section);
}

function exampleRow({ mechanism, variationRatio, bracket }: Account): string[] {
  const { p, beta, q } = variationRatio ?? {};
  return [
    `\`${mechanism}\``,
    ...[p, beta, q].map(fourDigits),
    digitsOfEnd(bracket.lower, 'lower'),
    digitsOfEnd(bracket.upper, 'upper'),
  ];
}

/** Four digits are the same on every machine. */
export function fourDigits(value: number | null | undefined): string {
  if (value === null || value === undefined) return '-';
  return value === Infinity ? 'inf' : String(Number(value.toPrecision(4)));
}

/** Of what is proved, in four digits or so many, rounded to the side on which it stays proved. */
export function digitsOfEnd(value: number | null | undefined, side: 'lower' | 'upper', digits = 4): string {
  return value === null || value === undefined || value === Infinity
    ? fourDigits(value)
    : String(Number(shortEnd(value, side, digits)));
}

/** Both are shown where the literature has a beta of its own. */
function asPrinted({ printedBeta }: NonNullable<MechanismCard['ratios']>): string {
  return printedBeta === undefined ? '' : ` Printed is \`beta = ${printedBeta}\`, which is valid and larger.`;
}

function section(mechanism: MechanismCard): string {
  const { name, title, description, source, ratios, estimator, parameters } = mechanism;
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
      `- Users: ${countedUsers(mechanism)}.`,
      ratios
        ? `- Variation ratio: \`p = ${ratios.p}\`, \`beta = ${ratios.beta}\`, \`q = ${ratios.q}\`.${asPrinted(ratios)}`
        : '- Variation ratio: none is published.',
      `- Estimator: \`${estimator}\`.`,
      `- Source: ${source}.`,
      `- Example: \`${exampleCommand(mechanism)}\``,
    ].join('\n'),
  ].join('\n\n');
}
