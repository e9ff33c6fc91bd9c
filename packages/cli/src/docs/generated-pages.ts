/** Which pages of docs/ are generated, and how. */
import { accountingPage } from './accounting-page.ts';
import { limitsPage } from './limits-page.ts';
import { mechanismsPage } from './mechanisms-page.ts';
import { paperPages } from './paper-pages.ts';
import { reproductionPage } from './reproduction-page.ts';

export interface GeneratedPage {
  /** Relative to this folder. */
  readonly path: string;
  readonly text: () => string;
}

export const GENERATED_PAGES: readonly GeneratedPage[] = [
  { path: '../../../../docs/accounting.md', text: accountingPage },
  { path: '../../../../docs/limits.md', text: limitsPage },
  { path: '../../../../docs/mechanisms.md', text: mechanismsPage },
  { path: '../../../../docs/reproduction.md', text: reproductionPage },
  ...paperPages(),
];
