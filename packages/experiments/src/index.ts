/**
 * @module The laboratory: experiments from configs, and accounts of mechanisms. Each room is also exported by
 * itself.
 */

// Accounts: one round, many rounds, users with budgets of their own
export { accountMechanism, type Account } from './account/account.ts';
export { composeMechanisms, type ComposedAccount, type ScheduledRounds } from './account/compose-account.ts';
export { MECHANISMS, mechanismCard } from './account/mechanisms.ts';
export { personalizedAccount } from './personalized/personalized-account.ts';

// Experiments
export { loadConfig, parseConfig } from './config/load-config.ts';
export type { ExperimentConfig } from './config/schema.ts';
export { runExperiment, type RunOptions } from './run/run-experiment.ts';
export type { RunResult } from './results/run-result.ts';
