/** docs/limits.md: what is refused for its size, and why there. */
import { LIMITS } from '@shuffle-dp/experiments/config';
import { GENERATED, markdownTable } from '@shuffle-dp/experiments/report';

export function limitsPage(): string {
  return `${[
    '# Limits',
    GENERATED,
    'What is larger is refused in one line, before memory is taken for it. Limits of fields stand in the JSON Schemas too. Worker threads\nbeyond their limit, or beyond what there is to do, are not started, and a line says so.',
    markdownTable(
      ['what', 'at most', 'because'],
      Object.values(LIMITS).map(({ most, of, because }) => [of, most.toLocaleString('en'), because]),
    ),
    'Data are read from plain files alone: a device or a pipe has no size and no second reading. Users who are only counted, as on the\naggregated path, are limited to 1,000,000,000,000; their cost follows the domain.',
  ].join('\n\n')}\n`;
}
