/**
 * Tables of a report that sort: a script of the page, which puts a button into every head. Without scripts
 * the tables stay as they are written. Numbers sort by value, whatever stands around them; a second press
 * turns the order round.
 */
export const SORTING_SCRIPT = `
for (const table of document.querySelectorAll('.scroll table')) {
  const heads = [...table.querySelectorAll('thead th')];
  const body = table.tBodies[0];
  const valueOf = (row, i) => {
    const text = row.cells[i]?.textContent ?? '';
    const number = Number.parseFloat(text.replaceAll(',', '').replace(/^[<>≥≤~±\\s]+/, ''));
    return { text, number };
  };
  // What is no number stands below the numbers, whichever way they are sorted.
  const compare = (a, b, way) =>
    Number.isNaN(a.number) !== Number.isNaN(b.number)
      ? Number.isNaN(a.number) - Number.isNaN(b.number)
      : way * (Number.isNaN(a.number) ? a.text.localeCompare(b.text, 'en') : a.number - b.number);
  heads.forEach((head, i) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const falling = head.getAttribute('aria-sort') === 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
      const way = falling ? -1 : 1;
      const rows = [...body.rows].sort((a, b) => compare(valueOf(a, i), valueOf(b, i), way));
      body.append(...rows);
    });
  });
}
`;
