// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingLine } from './console-blocks.ts';
import { enterFolder, printedBy, READER_PAGES, readPage } from './reader-pages.ts';

const pages = [readPage('README.md'), ...READER_PAGES].filter(({ blocks }) =>
  blocks.some(({ long }) => long),
);

describe.each(pages)('$name', ({ blocks }) => {
  let folder: { leave: () => void };
  beforeAll(() => {
    folder = enterFolder();
  });
  afterAll(() => folder.leave());

  it.each(blocks.filter(({ long }) => long))('$command', async ({ command, output }) => {
    const printed = await printedBy(command);
    expect(missingLine(output, printed), `in\n${printed}`).toBeUndefined();
  });
});
