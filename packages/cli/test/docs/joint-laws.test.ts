import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  createKeyValueProtocol,
  createSetProtocol,
  KEY_VALUE_PROTOCOLS,
  SET_PROTOCOLS,
  type KeyValueProtocolSpec,
  type SetProtocolSpec,
} from '@shuffle-dp/protocols';

const page = readFileSync(new URL('../../../../docs/statistics.md', import.meta.url), 'utf8');
const [, section] = /^## Joint laws\n(.*?)^## /msu.exec(page)!;

const size = { users: 50, domain: 6, items: 2, delta: 1e-3 };
const SETS = SET_PROTOCOLS.map(({ kind }) =>
  createSetProtocol({ kind } as SetProtocolSpec, { ...size, levels: [1], shares: [1] }),
);
const KEY_VALUES = KEY_VALUE_PROTOCOLS.map(({ kind }) =>
  createKeyValueProtocol({ kind, epsilon0: 1 } as KeyValueProtocolSpec, {
    ...size,
    range: { low: -1, high: 1 },
    measure: 'means',
  }),
);

it('names all protocols that draw counts one by one on the aggregated path', () => {
  const drawn = [...SETS, ...KEY_VALUES].filter(
    ({ paths, jointPaths }) => paths.includes('aggregated') && !jointPaths.includes('aggregated'),
  );
  expect(drawn.length).toBeGreaterThan(0);
  expect(drawn.filter(({ kind }) => !section!.includes(`\`${kind}\``))).toEqual([]);
});
