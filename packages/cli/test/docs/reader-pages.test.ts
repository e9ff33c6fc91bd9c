import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingLine } from './console-blocks.ts';
import { enterFolder, printedBy, READER_PAGES, readPage, ROOT } from './reader-pages.ts';

const readme = readPage('README.md');

/** Every page of the project. */
const PAGE_NAMES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  // docs/api holds the API pages of whoever made them.
  ...readdirSync(join(ROOT, 'docs'), { recursive: true })
    .map((path) => `docs/${String(path)}`)
    .filter((path) => !path.startsWith('docs/api') && path.endsWith('.md') && !path.includes('node_modules')),
  ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`),
].filter((path) => existsSync(join(ROOT, path)));

describe.each(READER_PAGES)('$name', ({ text, blocks }) => {
  let folder: { leave: () => void };
  beforeAll(() => {
    folder = enterFolder();
  });
  afterAll(() => folder.leave());

  it('has examples, each with one command', () => {
    expect(blocks.length).toBeGreaterThan(0);
    expect(text.match(/```console/gu)).toHaveLength(blocks.length);
  });

  it.each(blocks.filter(({ long }) => !long))('$command', async ({ command, output }) => {
    // What the README shows as well is run by its test.
    const shown = readme.blocks.find((block) => block.command === command);
    const printed = shown ? shown.output.join('\n') : await printedBy(command);
    expect(missingLine(output, printed), `in\n${printed}`).toBeUndefined();
  });
});

describe('examples', () => {
  it('stand on pages whose commands are run', () => {
    const shown = PAGE_NAMES.filter((page) => /^```console$/mu.test(readFileSync(join(ROOT, page), 'utf8')));
    expect(shown.toSorted()).toEqual(['README.md', ...READER_PAGES.map(({ name }) => name)].toSorted());
  });

  it('of a theorem name the one that the bound states', () => {
    const accounting = readFileSync(join(ROOT, 'docs/accounting.md'), 'utf8');
    const [, theorem] = /### `variation-ratio`\n[^#]*?Source: Wang et al\. 2024, (Theorem [\d.]+)\./u.exec(
      accounting,
    )!;
    const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
    expect(index).toContain(`\`variation-ratio\` for ${theorem} of Wang et al. 2024`);
  });
});

describe('links', () => {
  it.each(PAGE_NAMES)('of %s lead somewhere', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/```[^]*?```/gu, '');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/gu)].map((match) => match[1]!);
    const broken = targets
      .filter((target) => !/^[a-z]+:/u.test(target))
      .filter((target) => !leadsSomewhere(page, target));
    expect(broken).toEqual([]);
  });
});

/** A file or folder that is there, and where a heading is named, one of that name. */
function leadsSomewhere(page: string, target: string): boolean {
  const [path, heading] = target.split('#') as [string, string | undefined];
  const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
  if (!existsSync(file)) return false;
  if (heading === undefined) return true;
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gmu)].map((match) => match[1]!);
  return headings.some((words) => anchorOf(words) === heading);
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/gu, '-');
}

describe('tables', () => {
  it('are no wider than a page: at most nine columns', () => {
    const wide = PAGE_NAMES.filter((page) =>
      readFileSync(join(ROOT, page), 'utf8')
        .split('\n')
        .some((line) => /^\|(?: ?-+ ?\|)+$/u.test(line) && line.split('|').length - 2 > 9),
    );
    expect(wide).toEqual([]);
  });
});

describe('the glossary', () => {
  const glossary = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8');
  const terms = [...glossary.matchAll(/^- \*\*(.+?)\*\*/gmu)].map((match) => match[1]!.toLowerCase());

  it('defines each term once', () => {
    const twice = terms.filter((term, i) => terms.indexOf(term) !== i);
    expect(twice).toEqual([]);
  });

  it.each(['README.md', 'docs/README.md', 'docs/start-here.md', 'docs/concepts.md', 'CONTRIBUTING.md'])(
    'is linked from %s',
    (page) => {
      expect(readFileSync(join(ROOT, page), 'utf8')).toContain('glossary.md)');
    },
  );
});
