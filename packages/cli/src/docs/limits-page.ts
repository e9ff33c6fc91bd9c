/** docs/limits.md: what is refused for its size, and why there. */
import { LIMITS } from '@shuffle-dp/experiments/config';
import { GENERATED, markdownTable } from '@shuffle-dp/experiments/report';

export function limitsPage(): string {
  return `${[
    '# Limits',
    GENERATED,
    'A larger value is refused in one line, before memory is taken for it. The JSON Schemas have the limits of fields, too. Worker threads\nbeyond their limit, or beyond the number of tasks, are not started, and a line says so.',
    markdownTable(
      ['what', 'at most', 'because'],
      Object.values(LIMITS).map(({ most, of, because }) => [of, most.toLocaleString('en'), because]),
    ),
    'Data are read from plain files only: a device or a pipe has no size and cannot be read a second time. Users who are only counted, as on\nthe aggregated path, are limited to 1,000,000,000,000; their cost depends on the domain.',
  ].join('\n\n')}\n`;
}
