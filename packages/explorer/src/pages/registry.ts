/** The pages of the explorer. A new one is its component, a line here, and an engine if it computes. */
import type { JSX } from 'preact';
import { AccountPage } from '../account/account-page.tsx';
import { startAccount } from '../account/account-model.ts';
import { accountFields } from '../account/account-state.ts';
import { MECHANISMS } from '../account/mechanism-list.ts';
import { BudgetsPage } from '../budgets/budgets-page.tsx';
import { BUDGETS_FIELDS } from '../budgets/budgets-state.ts';
import { ComposePage } from '../compose/compose-page.tsx';
import { COMPOSE_FIELDS } from '../compose/compose-state.ts';
import { PlanPage } from '../plan/plan-page.tsx';
import { PLAN_FIELDS } from '../plan/plan-state.ts';
import { RunsPage } from '../runs/runs-page.tsx';
import { ShufflePage } from '../shuffle/shuffle-page.tsx';
import { SHUFFLE_FIELDS } from '../shuffle/shuffle-state.ts';

export interface Page {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  /** What it answers, beneath the title. */
  readonly question: string;
  /** Names of the fields that its address may have, where it has these. */
  fields(written: Readonly<Record<string, string>>): readonly string[];
  readonly Content: () => JSX.Element;
  /** Once, when the page is first opened. */
  start?(): void;
}

export const PAGES: readonly Page[] = [
  {
    name: 'account',
    title: 'Account',
    question: 'How private is one user after one shuffled round?',
    fields: (written) => accountFields(written, MECHANISMS),
    Content: AccountPage,
    start: startAccount,
  },
  {
    name: 'compose',
    title: 'Compose',
    question: 'What do many shuffled rounds give away together?',
    fields: () => COMPOSE_FIELDS,
    Content: ComposePage,
  },
  {
    name: 'budgets',
    title: 'Own budgets',
    question: 'How private is each user, where users choose their own local budgets?',
    fields: () => BUDGETS_FIELDS,
    Content: BudgetsPage,
  },
  {
    name: 'plan',
    title: 'Plan',
    question: 'Which protocol errs least for your users, at certified parameters?',
    fields: () => PLAN_FIELDS,
    Content: PlanPage,
  },
  {
    name: 'shuffle',
    title: 'Watch a shuffle',
    question: 'Who sees what, and how do estimates come out of it?',
    fields: () => SHUFFLE_FIELDS,
    Content: ShufflePage,
  },
  {
    name: 'runs',
    title: 'Runs',
    question: 'What came out of the experiments in the results folder?',
    fields: () => ['run'],
    Content: RunsPage,
  },
];
