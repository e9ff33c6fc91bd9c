/** Tables of a report in a real browser: they sort by value, and stay as they are where no script runs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { renderReportPage } from '@shuffle-dp/experiments/report';
import { browserPath, launch, watchedPage } from './browser.ts';

const REPORT = renderReportPage({
  title: 'A report',
  headline: 'One protocol errs least.',
  threatModel: [],
  parties: [],
  figures: [],
  provenance: [],
  command: 'shuffle-dp run a.yaml',
  tables: [
    {
      title: 'Results',
      caption: 'Errors.',
      columns: ['protocol', 'error'],
      rows: [
        ['b', '3.1e-3'],
        ['c', '-'],
        ['a', '1,200'],
        ['d', '< 0.5'],
      ],
    },
  ],
});

const path = browserPath();

describe.skipIf(path === undefined)('the table of a report', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(path!);
  });
  afterAll(async () => {
    await browser?.close();
  });

  const order = (page: Page): Promise<string> =>
    page.$$eval('tbody td:first-child', (cells) => cells.map((cell) => cell.textContent).join(''));

  it('sorts by the value of a column, up and then down', async () => {
    const { page, watch } = await watchedPage(browser);
    await page.setContent(REPORT);
    expect(await order(page)).toBe('bcad');
    const head = page.getByRole('button', { name: 'error' });
    await head.click();
    expect(await order(page)).toBe('bdac');
    expect(await page.getAttribute('th:nth-child(2)', 'aria-sort')).toBe('ascending');
    await head.click();
    expect(await order(page)).toBe('adbc');
    await page.getByRole('button', { name: 'protocol' }).click();
    expect(await order(page)).toBe('abcd');
    expect(watch).toEqual({ errors: [], requests: [] });
    await page.close();
  });
});
