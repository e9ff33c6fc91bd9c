/**
 * @module Runs past one machine: tasks of a run go through a queue on Redis, Valkey or PostgreSQL to workers
 * anywhere.
 */
export { queueExecutor, type CoordinatorOptions } from './coordinator.ts';
export { DisagreementError } from './disagreement.ts';
export { QueueError } from './queue-address.ts';
export { work, type WorkOptions } from './work.ts';
