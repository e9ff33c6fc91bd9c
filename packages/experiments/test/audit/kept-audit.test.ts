/** An audit that is stopped goes on from what it had, and says the same in the end. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { auditMechanism, keptAudit, type AuditOptions, type AuditReport } from '../../src/audit/index.ts';
import { Pace } from '../../src/run-folder/checkpoints.ts';
import { jsonText, writeFiles } from '../../src/run-folder/index.ts';

const GRR = { epsilon0: 3, domain: 3 };
const USERS = 40;
const OPTIONS: AuditOptions = { trials: 60_000, confidence: 0.99, deltas: [0.05], seed: 'kept', workers: 0 };
const out = mkdtempSync(join(tmpdir(), 'kept-audit-'));

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(out, { recursive: true, force: true });
});

async function kept(options: AuditOptions, resume: boolean): Promise<readonly AuditReport[]> {
  const subject = { mechanism: 'grr', parameters: GRR, users: USERS };
  const folder = {
    out,
    resume,
    write: async (reports: readonly AuditReport[], path: string) =>
      writeFiles(path, { 'audit.json': jsonText(reports) }),
  };
  return keptAudit(subject, options, folder, async (audit) => [
    await auditMechanism('grr', GRR, USERS, audit),
  ]);
}

/** Stopped at so many trials. */
async function stoppedAt(trials: number, resume: boolean): Promise<number[]> {
  const stop = new AbortController();
  const seen: number[] = [];
  const onProgress = (done: number): void => {
    seen.push(done);
    if (done >= trials) stop.abort(new Error('stopped'));
  };
  await expect(kept({ ...OPTIONS, signal: stop.signal, onProgress }, resume)).rejects.toThrow('stopped');
  return seen;
}

describe('an audit in a folder', () => {
  it('goes on from its checkpoints, in either phase, to the same bytes', async () => {
    const plain = await auditMechanism('grr', GRR, USERS, OPTIONS);
    // Every answer is written, however quickly they come.
    vi.spyOn(Pace.prototype, 'isDue').mockReturnValue(true);
    // A fifth of the trials choose.
    await stoppedAt(7000, false);
    expect(existsSync(join(out, 'checkpoints'))).toBe(true);
    const [again] = await stoppedAt(40_000, true);
    expect(again).toBeGreaterThan(7000);
    const progress: number[] = [];
    await kept({ ...OPTIONS, onProgress: (done) => progress.push(done) }, true);
    expect(progress[0]).toBeGreaterThan(40_000);
    expect(readFileSync(join(out, 'audit.json'), 'utf8')).toBe(jsonText([plain]));
    expect(existsSync(join(out, 'checkpoints'))).toBe(false);
    // What is finished is not made again.
    await kept({ ...OPTIONS, onProgress: () => expect.unreachable() }, true);
    expect(readFileSync(join(out, 'audit.json'), 'utf8')).toBe(jsonText([plain]));
  });

  it('is refused where another one is, and leaves nothing where it is refused itself', async () => {
    await expect(kept({ ...OPTIONS, deltas: [0] }, false)).rejects.toThrow('deltas = 0: must be in (0, 1)');
    const few = { ...OPTIONS, trials: 2000 };
    await kept(few, false);
    await expect(kept(few, false)).rejects.toThrow('continue it with --resume');
    await expect(kept({ ...few, seed: 'other' }, true)).rejects.toThrow('holds another run');
  });
});
