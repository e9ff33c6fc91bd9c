/**
 * Breaks one place at a time in the packages that carry the mathematics and sees whether a test notices:
 *
 *     pnpm run test:mutants [--count 40] [--seed mutants] [--only accounting] [--file part-of-a-path] [--write]
 *
 * The places are drawn by the seed from all that the rules of StrykerJS can break. Its own runner instruments
 * every operator, which makes loops over typed arrays some ten times slower; here one broken file is tested
 * as it is. `--write` puts the score and the survivors into docs/mutants.md,
 * and keeps its chapters by hand.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RandomStream } from '@shuffle-dp/core';
import { mutated, mutationsOf, type Mutation } from './mutations.ts';
import { makeScratchTree } from './scratch-tree.ts';
import { scorePage, type Judged, type RoomScore } from './score-page.ts';

/** What is broken, and the tests that should notice. */
const ROOMS = [
  { name: 'core/random', source: 'packages/core/src/random', tests: 'packages/core/test' },
  { name: 'shuffler', source: 'packages/shuffler/src', tests: 'packages/shuffler/test' },
  { name: 'randomizers', source: 'packages/randomizers/src', tests: 'packages/randomizers/test' },
  { name: 'accounting', source: 'packages/accounting/src', tests: 'packages/accounting/test' },
] as const;

const checkout = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: 'mutants' },
    only: { type: 'string' },
    file: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const count = Number(values.count);
const tree = makeScratchTree(checkout);
const scores: RoomScore[] = [];
try {
  for (const room of ROOMS.filter(({ name }) => values.only === undefined || name === values.only)) {
    const places = await placesOf(room.source);
    const drawn = drawPlaces(places, count, RandomStream.fromSeed(values.seed).fork(room.name));
    const whole = await tree.test(room.tests, 900_000);
    if (whole.verdict !== 'passed')
      throw new Error(`the tests of ${room.name} fail before anything is broken`);
    say(`${room.name}: ${drawn.length} of ${places.length} places; its tests take ${seconds(whole.ms)}`);
    const judged: Judged[] = [];
    for (const mutation of drawn) judged.push(await judge(mutation, room.tests, 30_000 + 3 * whole.ms));
    scores.push({ room: room.name, places: places.length, judged });
  }
} finally {
  tree.remove();
}
const page = scorePage(scores, values.seed);
say(page);
if (values.write) {
  const path = join(checkout, 'docs/mutants.md');
  // What was broken by hand has a heading of its own.
  const [, ...byHand] = readFileSync(path, 'utf8').split(/^(?=## )/m);
  writeFileSync(path, [page, ...byHand].join('\n'));
}

async function placesOf(source: string): Promise<Mutation[]> {
  const files = readdirSync(join(checkout, source), { recursive: true, encoding: 'utf8' })
    .map((path) => `${source}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('/index.ts') && path.includes(values.file))
    .toSorted();
  const places: Mutation[] = [];
  for (const file of files)
    places.push(...(await mutationsOf(file, readFileSync(join(checkout, file), 'utf8'))));
  return places;
}

/** A uniform subset in the order of the files. */
function drawPlaces(places: readonly Mutation[], size: number, stream: RandomStream): Mutation[] {
  const left = [...places];
  const drawn: Mutation[] = [];
  while (drawn.length < size && left.length > 0)
    drawn.push(...left.splice(stream.integerBelow(left.length), 1));
  return drawn.toSorted((a, b) => a.file.localeCompare(b.file) || a.start - b.start);
}

async function judge(mutation: Mutation, tests: string, limitMs: number): Promise<Judged> {
  const path = join(tree.folder, mutation.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, mutated(text, mutation));
  const { verdict, ms } = await tree.test(tests, limitMs);
  writeFileSync(path, text);
  const was = text.slice(mutation.start, mutation.end);
  say(
    `${verdict === 'passed' ? 'SURVIVED' : 'noticed '} ${seconds(ms)} ${mutation.file}:${mutation.line} ${mutation.rule}: ${oneLine(was)} -> ${oneLine(mutation.replacement)}`,
  );
  return { mutation, was: oneLine(was), noticed: verdict !== 'passed' };
}

function oneLine(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length <= 70 ? line : `${line.slice(0, 67)}...`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
