/** All bad inputs. */
import { ACCOUNTS } from './accounts.ts';
import { AUDITS } from './audits.ts';
import type { BadInput } from './bad-input.ts';
import { CERTIFICATES } from './certificates.ts';
import { DATA_FILES } from './data-files.ts';
import { EXPERIMENT_CONFIGS } from './experiment-configs.ts';
import { PLANS } from './plans.ts';
import { SET_CONFIGS } from './set-configs.ts';
import { TRAINING_CONFIGS } from './training-configs.ts';
import { USAGE } from './usage.ts';

export const BAD_INPUTS: readonly BadInput[] = [
  ...USAGE,
  ...EXPERIMENT_CONFIGS,
  ...SET_CONFIGS,
  ...TRAINING_CONFIGS,
  ...DATA_FILES,
  ...ACCOUNTS,
  ...PLANS,
  ...AUDITS,
  ...CERTIFICATES,
];
