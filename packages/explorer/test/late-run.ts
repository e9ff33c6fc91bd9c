/** A results folder of two runs, of which one's summary comes late, and the other has no cells. */
import type { Page } from 'playwright-core';
import { onPlainHost, type BuiltSite } from './browser.ts';

/** @returns the page's address, and what lets the late summary come */
export async function lateAndEmpty(
  page: Page,
  site: BuiltSite,
): Promise<{ readonly host: string; readonly give: () => void }> {
  const runs = ['late', 'empty'].map((name) => ({ name, changed: '', files: ['summary.json'] }));
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  const summary = { question: null, trials: 2, cells: [] };
  const host = await onPlainHost(page, site, {
    'runs.json': () => ({ folder: 'results', runs, left: 0 }),
    'runs/late/summary.json': async () => {
      await given;
      return { name: 'The late one', ...summary };
    },
    'runs/empty/summary.json': () => ({ name: 'The empty one', ...summary }),
  });
  return { host, give };
}
