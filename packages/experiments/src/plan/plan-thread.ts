/** What a thread of `planOnThreads` runs. */
import { parentPort, workerData } from 'node:worker_threads';
import { assessShare, type PlanShare } from './plan-share.ts';

// The port of a thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(assessShare(workerData as PlanShare));
