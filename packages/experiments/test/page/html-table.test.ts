import { expect, it } from 'vitest';
import { htmlTable } from '../../src/page/html-table.ts';

it('sets the head of a column of numbers over them, and no other', () => {
  const page = htmlTable({
    title: 'Results & more',
    caption: '',
    columns: ['protocol', 'mse', 'ratio', 'note'],
    rows: [
      ['one', '0.0028', '1 ×', '-'],
      ['two', '3.1e-3', '', '4 of 5'],
    ],
  });
  expect(page).toContain('<th scope="col">protocol</th><th scope="col" class="number">mse</th>');
  expect(page).toContain('<th scope="col" class="number">ratio</th><th scope="col">note</th>');
  expect(page).toContain('tabindex="0" role="region" aria-label="Results &amp; more"');
});
