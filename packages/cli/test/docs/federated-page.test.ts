/** Numbers of docs/federated-learning.md that need no training. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { frameworkPrivacies } from '../../../experiments/src/federated/learning-privacy.ts';
import {
  loadLearningConfig,
  type LearningConfig,
} from '../../../experiments/src/federated/learning-schema.ts';
import { shortEnd } from '../../../experiments/src/words/short-number.ts';
import { cellsOf } from './markdown-table.ts';
import { ROOT } from './reader-pages.ts';

const page = readFileSync(join(ROOT, 'docs/federated-learning.md'), 'utf8');
const DIMENSIONS = 7850;

const configOf = (name: string) => loadLearningConfig(join(ROOT, `configs/learning/${name}.yaml`));

/** What is said of some of the frameworks of a config. */
const privaciesOf = (config: LearningConfig, kind: string) =>
  frameworkPrivacies(
    config,
    config.frameworks
      .filter((spec) => spec.kind === kind)
      .map(({ kind: same, messageBudget, levels }) => ({
        kind: same,
        clipBound: config.clipBound,
        ...(messageBudget === undefined ? {} : { messageBudget }),
        ...(levels === undefined ? {} : { levels }),
      })),
    DIMENSIONS,
  );

/** The cells of the rows that begin as `start` says. */
const rowsOf = (start: RegExp): string[][] =>
  page
    .split('\n')
    .filter((line) => start.test(line))
    .map(cellsOf);

describe('upper ends of privacy are rounded up', () => {
  it('of a few bits of a gradient', () => {
    const config = configOf('sampled-bits-mnist');
    const sampled = config.frameworks.filter(({ kind }) => kind === 'vector-rr');
    const rows = rowsOf(/^\| \d /u);
    expect(rows.map(([budget]) => Number(budget))).toEqual(sampled.map(({ messageBudget }) => messageBudget));
    const computed = privaciesOf(config, 'vector-rr').map(({ user, publishedUser }) => [
      Number(shortEnd(user!, 'upper', 3)),
      Number(publishedUser!.toPrecision(3)),
    ]);
    expect(rows.map(([, , , user, published]) => [Number(user), Number(published)])).toEqual(computed);
  });

  it('of messages that are not shuffled', () => {
    const { dimension, user } = privaciesOf(configOf('federated-mnist'), 'pldp')[0]!;
    const [, inOne, , ofUser] = rowsOf(/^\| PLDP +\|/u)[0]!;
    expect(inOne).toBe(`${shortEnd(dimension!.upper, 'upper', 3)} (local)`);
    expect(Number(ofUser!.replace(',', ''))).toBe(Math.ceil(user!));
  });
});

describe('the six distributions of budgets', () => {
  const { claims } = JSON.parse(readFileSync(join(ROOT, 'docs/claims.json'), 'utf8')) as {
    claims: { id: string; evidence: { rows: [string, string, ...number[]][] } }[];
  };
  const trained = claims
    .find(({ id }) => id === 'apes.table4')!
    .evidence.rows.map(([budgets, framework, ...numbers]) => {
      const [, , printed, mean] = numbers;
      return { name: `${framework} ${budgets}`, printed: printed!, mean: mean! };
    });

  it('are as near to the printed accuracies as the ledger measured', () => {
    const far = trained.filter(({ printed, mean }) => Math.abs(mean - printed) > 5);
    expect(page).toContain(`${trained.length - far.length} of the ${trained.length} printed accuracies`);
    const uniS = far.filter(({ name }) => name.startsWith('uni-shuffle'));
    const [one, other] = uniS.map(({ printed, mean }) => `${mean.toFixed(0)} for ${printed}`);
    expect(page).toContain(`UniS at the two mixtures\n(${one} and ${other} %)`);
    expect(far.filter(({ name }) => /^s-apes (?:Uniform1|Gauss1|MixGauss1)$/u.test(name))).toHaveLength(3);
  });
});
