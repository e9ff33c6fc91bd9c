/** One category a user: the frequency of every category, or of ranges of them. */
import { basename } from 'node:path';
import type { CategoricalData, PrivacyStatement } from '@shuffle-dp/core';
import {
  createFrequencyProtocol,
  isFrequencySpec,
  shuffledOracle,
  type CategoricalSetting,
  type FrequencyProtocol,
} from '@shuffle-dp/protocols';
import {
  checkModule,
  ownOracle,
  requireEstimate,
  type OwnRandomizerSpec,
} from '../own-randomizer/own-randomizer.ts';
import { drawnLevels } from '../personalized/cell-budgets.ts';
import { attendingCategories } from './attendance.ts';
import { sumOfRows } from './sum-of-rows.ts';
import type { CategoryCell } from './cell.ts';
import type { DataKind, RunProtocol } from './data-kind.ts';

export const CATEGORIES: DataKind<'categories'> = {
  holds: 'categories',
  draw: (source, { users, simulation }, stream) => source.draw(users, simulation, stream),
  blocks: {
    cut: (cell, sizes) => sizes.map((users) => ({ ...cell, users })),
    counted(block) {
      const { values: _, ...counts } = block;
      return counts;
    },
    sum: (blocks) => ({
      ...blocks[0]!,
      users: blocks.reduce((sum, { users }) => sum + users, 0),
      histogram: sumOfRows(blocks.map(({ histogram }) => histogram)),
    }),
  },
  truthOf: ({ histogram, users, population }) => ({
    empirical: histogram.map((holders) => holders / users),
    population,
  }),
  namesOf: ({ names = null }) => names,
  limitsOf: () => ({ low: 0, high: 1, sum: 1 }),
  bytesOf: ({ histogram, values }) => histogram.byteLength + (values?.byteLength ?? 0),
  attending: (data, { threats = {} }, attendance, stream) =>
    attendingCategories(data, attendance, threats, stream),
  protocolOf(cell, users) {
    const protocol = frequencyProtocol(cell, users);
    return cell.measure === 'ranges' ? ofRanges(protocol) : protocol;
  },
};

/** With the error of ranges, also where others send the same messages. */
function ofRanges(protocol: FrequencyProtocol): RunProtocol<CategoricalData> {
  const { sentBy } = protocol;
  return {
    ...protocol,
    ...(sentBy && { sentBy: (others: number) => ofRanges(sentBy(others)) }),
    expectedError: (data) => protocol.expectedRangeError(data),
  };
}

function frequencyProtocol(
  { spec, data, delta, epsilon, budgets }: CategoryCell,
  users = data.users,
): FrequencyProtocol {
  const { domain } = data;
  const setting = {
    users,
    domain,
    delta,
    epsilon,
    ...(budgets && { budgets: drawnLevels(budgets, users, data.seed) }),
  };
  return isFrequencySpec(spec) ? createFrequencyProtocol(spec, setting) : ownProtocol(spec, setting);
}

function ownProtocol(
  spec: OwnRandomizerSpec,
  setting: CategoricalSetting,
): FrequencyProtocol & RunProtocol<CategoricalData> {
  const { epsilon0, accounting } = spec;
  const { domain } = setting;
  const name = basename(spec.module);
  const options = {
    title: name,
    randomizer: name,
    ...(epsilon0 === undefined ? {} : { epsilon0 }),
    ...(accounting === undefined ? {} : { accounting }),
  };
  const protocol = shuffledOracle((budget) => ownOracle(spec, domain, budget), options, setting);
  return {
    ...protocol,
    run: (...trial) => requireEstimate(spec, protocol.run(...trial), domain),
    check: () => checkModule(spec, domain, protocol.parameters.epsilon0),
    certifiedPrivacy: () => protocol.certifiedPrivacy().map(asModuleStates),
    privacy: () => protocol.privacy().map(asModuleStates),
  };
}

/** What is proved of a randomizer from outside is proved of what it says of itself. */
function asModuleStates(statement: PrivacyStatement): PrivacyStatement {
  return { ...statement, theorem: `${statement.theorem}, for the masses that the module states` };
}
