/**
 * A plan on several threads; it does not depend on their number. Apart from the other plans, which browsers
 * make too.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { started } from '../pool/task-error.ts';
import { planOf, type Plan } from './plan.ts';
import { checkPlanSetting, type PlanSetting } from './plan-setting.ts';
import { assessShare, type Assessed, type OnAssess, type PlanShare } from './plan-share.ts';

/** A thread starts in a quarter of a second: more of them would be ready when there is nothing left to do. */
const MOST_THREADS = 4;

/**
 * The plan of `plan`, in about half the time on two cores.
 *
 * @param threads the calling one among them
 * @param onAssess is told of each protocol that the calling thread begins with
 * @throws ParameterError as `plan`
 */
export async function planOnThreads(
  setting: PlanSetting,
  threads = Math.min(MOST_THREADS, availableParallelism()),
  onAssess: OnAssess = () => {},
): Promise<Plan> {
  checkPlanSetting(setting);
  const share = { setting, taken: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
  const workers = Array.from({ length: threads - 1 }, () => threadOf(share));
  const others = Promise.all(workers.map(({ assessed }) => assessed));
  try {
    const own = assessShare(share, onAssess);
    const all = [...own, ...(await others).flat()];
    const outcomes = all.toSorted((a, b) => a.index - b.index).map(({ outcome }) => outcome);
    return planOf(setting, outcomes);
  } finally {
    // None is left waiting: a thread that is ended before it starts has no answer.
    others.catch(() => {});
    for (const { end } of workers) end();
  }
}

interface PlanThread {
  readonly assessed: Promise<Assessed[]>;
  end(): void;
}

/**
 * Source, as in a checkout, needs the loader of a pool, which has no task for its threads before this one
 * rests.
 */
function threadOf(share: PlanShare): PlanThread {
  if (import.meta.url.endsWith('.ts')) return pooledThread(share);
  const worker = started(
    () => new Worker(new URL('./plan-thread.js', import.meta.url), { workerData: share }),
  );
  const assessed = new Promise<Assessed[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread of the plan ended, code ${code}`)));
  });
  return { assessed, end: () => void worker.terminate() };
}

function pooledThread(share: PlanShare): PlanThread {
  const opened = import('../pool/pool.ts').then(({ openThreads }) =>
    openThreads(new URL('./plan-share.ts', import.meta.url).href, 1),
  );
  return {
    assessed: opened.then(async ({ perform }) => (await perform(assessShare.name, share)) as Assessed[]),
    end: () =>
      void opened.then(
        ({ close }) => close(),
        // One that was not started is told where its share is waited for.
        () => undefined,
      ),
  };
}
