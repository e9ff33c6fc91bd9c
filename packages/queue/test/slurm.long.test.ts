// @module-tag long
// The job array of the templates on a Slurm of one node, where it is installed: the bytes of one machine's
// run.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIG, openLab, type Lab } from './runs.ts';
import { found, freePort } from './servers.ts';

const TEMPLATE = join(import.meta.dirname, '../../../examples/many-machines/slurm-array.sh');
const LAUNCHER = join(import.meta.dirname, '../../cli/bin/shuffle-dp.mjs');
/** As many cells as the array has jobs. */
const EIGHT = CONFIG.replace('users: [500, 700]', 'users: [500, 600, 700, 800]');

const missing = ['slurmctld', 'slurmd', 'sbatch', 'sinfo'].filter((program) => found(program) === null);
if (missing.length > 0)
  console.warn(
    `not tested, because they are not installed: ${missing.join(', ')} (packages slurmctld, slurmd, slurm-client)`,
  );

/**
 * One node, which says that it has the processors of two jobs; daemons without authentication, at this
 * machine's own address alone.
 */
async function settings(folder: string): Promise<string> {
  const [name, user] = [hostname().split('.')[0]!, userInfo().username];
  mkdirSync(join(folder, 'state'));
  mkdirSync(join(folder, 'spool'));
  return `ClusterName=shuffle
SlurmctldHost=${name}(127.0.0.1)
SlurmUser=${user}
SlurmdUser=${user}
AuthType=auth/none
CredType=cred/none
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=${await freePort()}
SlurmdPort=${await freePort()}
StateSaveLocation=${join(folder, 'state')}
SlurmdSpoolDir=${join(folder, 'spool')}
SlurmctldPidFile=${join(folder, 'slurmctld.pid')}
SlurmdPidFile=${join(folder, 'slurmd.pid')}
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
SchedulerParameters=batch_sched_delay=0,sched_interval=1
NodeName=${name} NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=${name} Default=YES MaxTime=INFINITE State=UP
`;
}

describe.skipIf(missing.length > 0)('on Slurm', () => {
  let lab: Lab;
  const daemons: ChildProcess[] = [];
  const env: NodeJS.ProcessEnv = { ...process.env };
  const ask = (program: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: lab.root,
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
    return stdout;
  };
  beforeAll(async () => {
    lab = openLab(EIGHT);
    await lab.run('local', { workers: 0 });
    const folder = join(lab.root, 'slurm');
    mkdirSync(folder);
    writeFileSync(join(folder, 'slurm.conf'), await settings(folder));
    const shim = `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`;
    writeFileSync(join(folder, 'shuffle-dp'), shim, { mode: 0o755 });
    Object.assign(env, {
      SLURM_CONF: join(folder, 'slurm.conf'),
      PATH: `${folder}${delimiter}${process.env['PATH']}`,
      CONFIG: 'many.yaml',
    });
    for (const daemon of ['slurmctld', 'slurmd'])
      daemons.push(spawn(found(daemon)!, ['-D'], { env, stdio: 'ignore' }));
    for (let step = 0; step < 300; step++) {
      const { stdout } = spawnSync(found('sinfo')!, ['-h', '-o', '%T'], { env, encoding: 'utf8' });
      if (stdout.trim() === 'idle') return;
      await setTimeout(100);
    }
    throw new Error('the node does not come up');
  });
  afterAll(async () => {
    for (const daemon of daemons) {
      daemon.kill();
      if (daemon.exitCode === null && daemon.signalCode === null) await once(daemon, 'exit');
    }
    lab.remove();
  });

  it('the array runs its shards, which merge to the bytes of one machine', async () => {
    const job = /Submitted batch job (\d+)/u.exec(ask('sbatch', TEMPLATE))![1]!;
    while (ask('squeue', '-h', '-j', job, '-o', '%i').trim() !== '') await setTimeout(500);
    const shards = readdirSync(join(lab.root, 'results')).sort();
    expect(shards).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((index) => `many-shard-${index}-of-8`));
    const said = shards.map((_, i) => readFileSync(join(lab.root, `slurm-${job}_${i + 1}.out`), 'utf8'));
    for (const lines of said) expect(lines).toMatch(/shard [1-8]\/8: 1 of 8 cells is in /u);
    const folders = shards.map((shard) => join('results', shard));
    ask('shuffle-dp', 'merge', ...folders, '--out', 'merged', '--no-report');
    expect(lab.bytes('merged')).toBe(lab.bytes('local'));
  });
});
