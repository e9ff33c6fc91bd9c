/** Users' budgets from what the command line says: a distribution, a list, or a CSV file. */
import { existsSync } from 'node:fs';
import { parseRows } from '../data/csv/csv-rows.ts';
import { isMissing } from '../data/csv/reading-policy.ts';
import { DataFileError, readDataFile } from '../data/data-file.ts';
import { BUDGET_FORMS, BudgetError, LEAST_BUDGET } from './budget-distribution.ts';
import { decimalNumber } from '../words/decimal-number.ts';
import { forUsers, writtenBudgets } from './written-budgets.ts';

/**
 * `text`: the path of a file with one budget a line and no other column, where there is one; else a
 * distribution or a list, as `writtenBudgets` takes them. A list or file that is shorter or longer than
 * `users` is refused.
 * @param onNotice is told of a first line that is read as a header
 * @throws BudgetError, DataFileError
 */
export function budgetList(
  text: string,
  users: number | undefined,
  seed: string,
  onNotice: (line: string) => void = () => {},
): Float64Array {
  if (existsSync(text)) return forUsers(read(text, onNotice), users);
  const written = writtenBudgets(text, users, seed);
  if (written) return written;
  const forms = `must be ${BUDGET_FORMS}, numbers with commas between them, or the path of a CSV file`;
  throw new BudgetError(/[./]/u.test(text) ? `no such file; ${forms}` : forms);
}

function read(path: string, onNotice: (line: string) => void): Float64Array {
  const rows = parseRows(readDataFile(path), ',', false);
  const columns = rows[0]?.cells.length ?? 0;
  if (columns > 1) throw new DataFileError(path, `has ${columns} columns: a file of budgets has one`, 1);
  const [first] = rows;
  const name = first?.cells[0]?.trim();
  const hasHeader = first !== undefined && !isMissing(name) && Number.isNaN(budgetOf(first.cells));
  if (hasHeader) rows.shift();
  if (rows.length === 0) throw new DataFileError(path, 'has no budgets');
  const budgets = Float64Array.from(rows, ({ cells, line }) => {
    const budget = budgetOf(cells);
    if (!(budget > 0 && budget < Infinity))
      throw new DataFileError(path, `${JSON.stringify(cells[0] ?? '')} is no positive budget`, line);
    if (budget < LEAST_BUDGET)
      throw new DataFileError(path, `${budget} is too small: budgets must be at least ${LEAST_BUDGET}`, line);
    return budget;
  });
  // Where nothing else is said of the file.
  if (hasHeader)
    onNotice(`${path}: line ${first.line} is read as a header: ${JSON.stringify(name)} is no number`);
  return budgets;
}

function budgetOf([cell = '']: readonly string[]): number {
  return decimalNumber(cell.trim());
}
