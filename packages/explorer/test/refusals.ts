/** Questions that pages refuse themselves, each beside one that they answer. */
import type { Page } from 'playwright-core';
import { goTo } from './browser.ts';

interface Refused {
  readonly answered: string;
  readonly refused: string;
  readonly message: string;
}

const GRR = 'grr(epsilon0:1,domain:4,users:9,rounds:2)';

export const REFUSED: readonly Refused[] = [
  {
    answered: '#account?mechanism=grr&users=1000',
    refused: '#account?mechanism=grr&users=abc',
    message: 'users = abc: must be a number',
  },
  {
    answered: `#compose?schedule=${GRR}`,
    refused: `#compose?schedule=${GRR};grr(`,
    message: '"grr(" is no rounds',
  },
  {
    answered: '#plan?task=mean&users=2000&bits=8',
    refused: '#plan?task=mean&users=2000&bits=0',
    message: 'most bits = 0: must be a positive number',
  },
];

/** What is told where an answer stood before, and what is left of that. */
export async function toldInPlace(
  page: Page,
  { answered, refused }: Refused,
): Promise<{ readonly told: string | null; readonly left: number }> {
  await goTo(page, answered);
  await page.waitForSelector('.headline .value');
  await goTo(page, refused);
  await page.waitForSelector('.refusal');
  const left = await page.$$('.headline .value, .chart svg, .answers table');
  return { told: await page.textContent('.refusal'), left: left.length };
}
