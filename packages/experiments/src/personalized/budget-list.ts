/** Users' budgets from what the command line says: a distribution, a list, or a CSV file. */
import { RandomStream } from '@shuffle-dp/core';
import { parseRows } from '../data/csv/csv-rows.ts';
import { DataFileError, readDataFile } from '../data/data-file.ts';
import { BUDGET_FORMS, BudgetError, parseBudgets, sampleBudgets } from './budget-distribution.ts';

/**
 * `text`: a distribution, from which `users` budgets are drawn; numbers with commas between them; or the path of a file with one
 * budget a line and no other column. A list or file that is shorter or longer than `users` is refused.
 * @throws BudgetError, DataFileError
 */
export function budgetList(text: string, users: number | undefined, seed: string): Float64Array {
  if (isDistribution(text)) {
    if (users === undefined) throw new BudgetError('needs --users, the number of budgets to draw');
    return sampleBudgets(parseBudgets(text), users, RandomStream.fromSeed(seed).fork('budgets'));
  }
  const budgets = /^[\d.,\seE+-]+$/u.test(text) ? listed(text) : read(text);
  if (users !== undefined && users !== budgets.length)
    throw new BudgetError(`${budgets.length} budgets for --users ${users}`);
  return budgets;
}

/** Whether the text is a distribution, rather than a list or a file. */
export function isDistribution(text: string): boolean {
  return /^[a-z]+\(/u.test(text.trim());
}

function listed(text: string): Float64Array {
  return Float64Array.from(text.split(','), (word) => {
    const budget = word.trim() === '' ? Number.NaN : Number(word);
    if (!(budget > 0 && budget < Infinity)) throw new BudgetError(`'${word.trim()}' is no positive number`);
    return budget;
  });
}

function read(path: string): Float64Array {
  let rows: ReturnType<typeof parseRows>;
  try {
    rows = parseRows(readDataFile(path), ',', false);
  } catch (error) {
    if (!(error instanceof DataFileError && error.message.includes('no such file'))) throw error;
    const forms = `must be ${BUDGET_FORMS}, numbers with commas between them, or the path of a CSV file`;
    throw new BudgetError(/[./]/u.test(path) ? `no such file; ${forms}` : forms);
  }
  const columns = rows[0]?.cells.length ?? 0;
  if (columns > 1) throw new DataFileError(path, `has ${columns} columns: a file of budgets has one`, 1);
  // A first line of words is a header.
  if (rows.length > 0 && Number.isNaN(Number(rows[0]!.cells[0]))) rows.shift();
  if (rows.length === 0) throw new DataFileError(path, 'has no budgets');
  return Float64Array.from(rows, ({ cells, line }) => {
    const budget = cells[0] === '' ? Number.NaN : Number(cells[0]);
    if (!(budget > 0 && budget < Infinity))
      throw new DataFileError(path, `${JSON.stringify(cells[0] ?? '')} is no positive budget`, line);
    return budget;
  });
}
