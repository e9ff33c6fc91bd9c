/** What a page hands out, and what it says while its answer is still of the former question. */
import type { Page } from 'playwright-core';
import { goTo } from '../browser.ts';

export async function copiedCommand(page: Page): Promise<string | null> {
  await page.getByRole('button', { name: 'Copy as command' }).click();
  await page.waitForSelector('.copied pre');
  return await page.textContent('.copied pre');
}

interface Meanwhile {
  readonly badge: string | null;
  /** Texts that were copied before, and stand there still. */
  readonly copied: number;
  /** Why a config is not given; null where one is. */
  readonly lack: string | null;
  readonly command: string | null;
}

/** Of a page with an answer whose command was copied. */
export async function whileChanged(page: Page, hash: string): Promise<Meanwhile> {
  await goTo(page, hash);
  // All at once: the next answer may come at any time.
  const told = await page.waitForFunction(() => {
    const badge = document.querySelector('.headline.former [data-work=former]');
    if (badge === null) return null;
    const lacking = document.querySelector('button[aria-disabled=true]');
    const copied = document.querySelectorAll('.copied').length;
    return { badge: badge.textContent, copied, lack: lacking?.getAttribute('title') ?? null };
  });
  const { badge, copied, lack } = (await told.jsonValue())!;
  return { badge, copied, lack, command: await copiedCommand(page) };
}
