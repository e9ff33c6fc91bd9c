#!/usr/bin/env node
// In a checkout this runs the TypeScript source, so no build is needed, or a build that no change of the
// source is younger than; in a published package, which has no src, it runs dist. Bundles of the build, where
// they are fresh too, load faster.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { buildIsFresh, bundlesAreFresh } from './fresh-build.mjs';

// Newer engines keep what they compiled for the next start, in a folder for temporary files.
module.enableCompileCache?.();

// Node 20 spends more on making code of a first account fast than that saves it; others have no such flags
// (docs/decisions/0024-the-program-starts-from-bundles.md).
const ACCOUNTING = ['account', 'calibrate', 'compose'];
if (process.versions.node.startsWith('20.') && ACCOUNTING.includes(process.argv[2] ?? '')) {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');
  setFlagsFromString('--interrupt-budget=200000');
  setFlagsFromString('--no-turbo-loop-peeling');
}

const source = new URL('../src/cli.ts', import.meta.url);
const packages = fileURLToPath(new URL('../..', import.meta.url));
if (existsSync(source) && !buildIsFresh(packages)) {
  const loader = process.features.typescript ? [] : ['--import', import.meta.resolve('tsx')];
  const child = spawn(
    process.execPath,
    ['--conditions=@shuffle-dp/source', ...loader, fileURLToPath(source), ...process.argv.slice(2)],
    // The channel carries nothing; that it closes tells the program that this launcher was killed.
    { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1);
  });
} else {
  await import(existsSync(source) && bundlesAreFresh(packages) ? '../dist/bundle/cli.js' : '../dist/cli.js');
}
