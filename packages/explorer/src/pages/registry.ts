/** The pages of the explorer. A new one is its component, a line here, and an engine if it computes. */
import type { JSX } from 'preact';
import { AccountPage } from '../account/account-page.tsx';
import { startAccount } from '../account/account-model.ts';
import { BudgetsPage } from '../budgets/budgets-page.tsx';
import { ComposePage } from '../compose/compose-page.tsx';
import { PlanPage } from '../plan/plan-page.tsx';
import { RunsPage } from '../runs/runs-page.tsx';
import { ShufflePage } from '../shuffle/shuffle-page.tsx';

export interface Page {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  /** What it answers, beneath the title. */
  readonly question: string;
  readonly Content: () => JSX.Element;
  /** Once, when the page is first opened. */
  start?(): void;
}

export const PAGES: readonly Page[] = [
  {
    name: 'account',
    title: 'Account',
    question: 'How private is one user after one shuffled round?',
    Content: AccountPage,
    start: startAccount,
  },
  {
    name: 'compose',
    title: 'Compose',
    question: 'What do many shuffled rounds give away together?',
    Content: ComposePage,
  },
  {
    name: 'budgets',
    title: 'Own budgets',
    question: 'How private is each user, where users choose their own local budgets?',
    Content: BudgetsPage,
  },
  {
    name: 'plan',
    title: 'Plan',
    question: 'Which protocol errs least for so many users, at certified parameters?',
    Content: PlanPage,
  },
  {
    name: 'shuffle',
    title: 'Watch a shuffle',
    question: 'Who sees what, and how do estimates come out of it?',
    Content: ShufflePage,
  },
  {
    name: 'runs',
    title: 'Runs',
    question: 'What came out of the experiments in the results folder?',
    Content: RunsPage,
  },
];
