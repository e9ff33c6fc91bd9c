/**
 * `pnpm run check:packages`: packs all packages, lints the tarballs, installs them into an empty project, and
 * there runs the examples of the READMEs, the program with its configs, the types under NodeNext and under a
 * bundler's rules, and a bundle for browsers. Nothing is published.
 */
import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { packAll, ROOT, type Tarball } from './pack.ts';

/** Of a tarball, in kB: half above what it was when the line was written. */
const MOST_KB: Readonly<Record<string, number>> = {
  accounting: 510,
  certificates: 40,
  cli: 190,
  core: 100,
  experiments: 610,
  explorer: 1050,
  papers: 180,
  protocols: 200,
  queue: 30,
  randomizers: 185,
  sealed: 20,
  shuffler: 20,
};
/** Of the accounts in a page, in kB gzipped. */
const MOST_BUNDLE_KB = 160;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function run(command: string, args: readonly string[], options: ExecFileSyncOptions): string {
  try {
    return String(execFileSync(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: Buffer; stderr?: Buffer };
    throw new Error(`${command} ${args.join(' ')} failed:\n${String(stdout)}${String(stderr)}`, {
      cause: error,
    });
  }
}

function requireThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function checkSizes(tarballs: readonly Tarball[]): void {
  for (const { name, file } of tarballs) {
    const kilobytes = statSync(file).size / 1000;
    const most = MOST_KB[name];
    requireThat(
      most !== undefined && kilobytes <= most,
      `${name}: ${kilobytes.toFixed(0)} kB, allowed ${most}`,
    );
    say(`  ${name} ${kilobytes.toFixed(0)} kB of ${most}`);
  }
}

function lintTarballs(tarballs: readonly Tarball[]): void {
  const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name);
  for (const { name, file } of tarballs) {
    run(bin('publint'), ['run', file, '--strict'], { cwd: ROOT });
    // The explorer is pages, and the program has nothing to import.
    if (name !== 'explorer' && name !== 'cli')
      run(bin('attw'), [file, '--profile', 'esm-only', '--no-emoji'], { cwd: ROOT });
  }
}

/** A project that has nothing but the tarballs, and the types of Node to check against. */
function installInto(project: string, tarballs: readonly Tarball[]): void {
  const dependencies = Object.fromEntries(
    tarballs.map(({ name, file }) => [`@shuffle-dp/${name}`, `file:${file}`]),
  );
  const manifest = {
    name: 'empty',
    private: true,
    type: 'module',
    dependencies: { ...dependencies, '@types/node': '^20' },
    // Versions that are not published yet come from their tarballs wherever they are asked for.
    overrides: dependencies,
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest, null, 2));
  run('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: project });
}

/** The ts blocks of the READMEs, each with the output that the page shows. */
function examples(): { readonly name: string; readonly code: string; readonly output: string }[] {
  return readdirSync(join(ROOT, 'packages')).flatMap((name) => {
    const page = readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8');
    const blocks = [...page.matchAll(/```ts\n([^]*?)```\s*```text\n([^]*?)```/gu)];
    return blocks.map(([, code, output], i) => ({ name: `${name}-${i}`, code: code!, output: output! }));
  });
}

function runExamples(project: string): void {
  const env = { ...process.env, PATH: `${join(project, 'node_modules/.bin')}:${process.env['PATH']}` };
  for (const { name, code, output } of examples()) {
    writeFileSync(join(project, `${name}.ts`), code);
    if (code.includes("env['QUEUE']") && process.env['QUEUE'] === undefined) {
      say(`  ${name} is not run: QUEUE names no server`);
      continue;
    }
    const printed = run('tsx', [`${name}.ts`], { cwd: project, env });
    requireThat(printed.trim() === output.trim(), `README of ${name} prints\n${printed}and says\n${output}`);
    say(`  ${name}`);
  }
}

function checkTypes(project: string): void {
  const common = { strict: true, noEmit: true, target: 'es2023', lib: ['es2023'], types: ['node'] };
  const ways = {
    nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
    bundler: { module: 'esnext', moduleResolution: 'bundler' },
  };
  for (const [way, options] of Object.entries(ways)) {
    const file = join(project, `tsconfig.${way}.json`);
    const compilerOptions = { ...common, ...options, skipLibCheck: false };
    writeFileSync(file, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', file], { cwd: project });
    say(`  ${way}`);
  }
}

function runProgram(project: string): void {
  const program = join(project, 'node_modules/.bin/shuffle-dp');
  const configs = join(project, 'node_modules/@shuffle-dp/cli/configs');
  const cli = (...args: string[]): string => run(program, args, { cwd: project });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  requireThat(cli('--version').trim() === version, 'the program prints another version');
  cli('run', join(configs, 'quick.yaml'), '--trials', '2', '--quiet', '--out', 'out');
  const summary = JSON.parse(readFileSync(join(project, 'out/summary.json'), 'utf8')) as object;
  requireThat(JSON.stringify(summary).includes(`"${version}"`), 'the run does not name the version');
  cli('demo', 'sealed', join(configs, 'sealed.yaml'), '--quiet', '--out', 'sealed');
  cli('figures', 'vr.table5', '--quick', '--quiet', '--out', 'figures');
  const gallery = readFileSync(join(project, 'figures/quick/index.html'), 'utf8');
  requireThat(gallery.includes('class="badge good">reproduced'), 'the gallery has no badges of claims');
}

function bundleForBrowsers(project: string): void {
  const { code, output } = examples().find(({ name }) => name === 'experiments-0')!;
  writeFileSync(join(project, 'page.ts'), code);
  const bundled = run(
    join(project, 'node_modules/.bin/esbuild'),
    ['page.ts', '--bundle', '--minify', '--format=iife', '--platform=browser'],
    { cwd: project },
  );
  const kilobytes = gzipSync(bundled).length / 1000;
  requireThat(
    kilobytes <= MOST_BUNDLE_KB,
    `the bundle has ${kilobytes} kB gzipped, allowed ${MOST_BUNDLE_KB}`,
  );
  const printed: string[] = [];
  const page = {
    console: { log: (...words: unknown[]) => printed.push(words.join(' ')) },
    performance,
    TextEncoder,
    TextDecoder,
  };
  runInNewContext(bundled, page);
  requireThat(printed.join('\n') === output.trim(), `the bundle prints\n${printed.join('\n')}`);
  say(`  ${kilobytes.toFixed(0)} kB gzipped of ${MOST_BUNDLE_KB}`);
}

const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-packages-'));
try {
  const project = mkdtempSync(join(folder, 'project-'));
  const tarballs = packAll(join(folder, 'tarballs'));
  say('sizes');
  checkSizes(tarballs);
  say('publint and attw');
  lintTarballs(tarballs);
  say('an empty project: install');
  installInto(project, tarballs);
  say('examples of the READMEs');
  runExamples(project);
  say('types');
  checkTypes(project);
  say('the program');
  runProgram(project);
  say('a bundle for browsers');
  bundleForBrowsers(project);
  say('all packages are ready');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
