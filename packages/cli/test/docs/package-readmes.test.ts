import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import {
  FREQUENCY_PROTOCOLS,
  HEAVY_HITTER_PROTOCOLS,
  KEY_VALUE_PROTOCOLS,
  NUMBER_PROTOCOLS,
  PLACE_PROTOCOLS,
  SET_PROTOCOLS,
  VECTOR_PROTOCOLS,
} from '@shuffle-dp/protocols';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIsFresh } from '../../bin/fresh-build.mjs';
import { LAUNCHER } from '../program.ts';
import { SERVERS } from '../../../queue/test/servers.ts';
import { ROOT } from './reader-pages.ts';

interface Example {
  readonly page: string;
  readonly code: string;
  readonly output: string;
}

const PACKAGES = readdirSync(join(ROOT, 'packages'));

/** As the launcher does: a fresh build is what the source says, and loads in a third of the time. */
const SOURCE = buildIsFresh(join(ROOT, 'packages'))
  ? []
  : ['--conditions=@shuffle-dp/source', '--import', import.meta.resolve('tsx')];

const REDIS = SERVERS.find(({ name }) => name === 'Redis')!;

/** Of every package's README each ```ts block with the ```text block that follows it. */
const EXAMPLES: readonly Example[] = PACKAGES.flatMap((name) => {
  const page = `packages/${name}/README.md`;
  if (!existsSync(join(ROOT, page))) return [];
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/```ts\n([^]*?)```\s*```text\n([^]*?)```/gu)].map(([, code, output]) => ({
    page,
    code: code!,
    output: output!,
  }));
});

describe('the README of each package', () => {
  it.each(PACKAGES)('%s names every room', (name) => {
    const source = join(ROOT, 'packages', name, 'src');
    const rooms = readdirSync(source, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
    const text = readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8');
    expect(rooms.filter((room) => !new RegExp(`\`${room}/?\``, 'u').test(text))).toEqual([]);
  });

  it('names every protocol of configs, and the file of each whose file has another name', () => {
    const text = readFileSync(join(ROOT, 'packages/protocols/README.md'), 'utf8');
    const source = join(ROOT, 'packages/protocols/src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((file) => basename(file));
    const kinds = [
      SET_PROTOCOLS,
      FREQUENCY_PROTOCOLS,
      NUMBER_PROTOCOLS,
      KEY_VALUE_PROTOCOLS,
      PLACE_PROTOCOLS,
      VECTOR_PROTOCOLS,
      HEAVY_HITTER_PROTOCOLS,
    ].flatMap((cards) => cards.map(({ kind }) => kind));
    const [lists] = text.split('## A first example');
    expect(kinds.filter((kind) => !lists!.includes(`\`${kind}\``))).toEqual([]);
    const named = [...lists!.matchAll(/`([a-z0-9-]+\.ts)`/gu)].map(([, file]) => file!);
    expect(named.filter((file) => !files.includes(file))).toEqual([]);
    const own = kinds.filter((kind) => !files.includes(`${kind}.ts`));
    const led = [...lists!.matchAll(/((?:`[a-z0-9-]+`(?:, | and |[^`.(]*)?)+)\(`[a-z0-9-]+\.ts`\)/gu)].map(
      ([, before]) => before!,
    );
    expect(own.filter((kind) => !led.some((before) => before.includes(`\`${kind}\``)))).toEqual([]);
  });
});

describe('the first example of each package', () => {
  let folder: string;
  let printed: Readonly<Record<string, string>>;
  // What needs a server runs where one is installed.
  const runnable = EXAMPLES.filter(({ code }) => REDIS.missing === null || !code.includes("env['QUEUE']"));

  // One process for all: it takes longer to start than to run them.
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'package-readmes-'));
    mkdirSync(join(folder, 'node_modules/@shuffle-dp'), { recursive: true });
    for (const name of PACKAGES)
      symlinkSync(join(ROOT, 'packages', name), join(folder, 'node_modules/@shuffle-dp', name));
    writeFileSync(join(folder, 'shuffle-dp'), `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`, {
      mode: 0o755,
    });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [i, { code }] of runnable.entries())
      writeFileSync(join(folder, `example-${i}.js`), transformSync(code, { loader: 'ts' }).code);
    writeFileSync(join(folder, 'all.js'), ALL);
    const server = REDIS.missing === null ? await REDIS.start() : null;
    const run = promisify(execFile)(process.execPath, [...SOURCE, 'all.js', `${runnable.length}`], {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}`, QUEUE: server?.url },
    });
    await Promise.allSettled([run]);
    await server?.stop();
    const { stdout } = await run;
    printed = Object.fromEntries(
      stdout
        .split(/^== /mu)
        .slice(1)
        .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PACKAGES)('%s has a README', (name) => {
    expect(existsSync(join(ROOT, 'packages', name, 'README.md'))).toBe(true);
  });

  // That of the explorer is a link, which its own tests open.
  it.each(PACKAGES.filter((name) => name !== 'explorer'))('%s has an example', (name) => {
    expect(EXAMPLES.map(({ page }) => page)).toContain(`packages/${name}/README.md`);
  });

  it.each(runnable.map((example, i) => ({ ...example, i })))(
    'of $page prints what is written below it',
    ({ output, i }) => {
      expect(printed[String(i)]).toBe(output);
    },
  );

  it('is short', () => {
    const long = EXAMPLES.filter(({ code }) => code.trim().split('\n').length > 17);
    expect(long.map(({ page }) => page)).toEqual([]);
  });
});

/** Runs the examples in turn, each under a line with its number. */
const ALL = `for (let i = 0; i < Number(process.argv[2]); i++) {
  console.log('== ' + i);
  await import('./example-' + i + '.js');
}`;
