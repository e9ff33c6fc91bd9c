/** Protocols of a config, seen through what their analyzer tells: its estimates follow from the messages, so what they show, messages do. */
import { ParameterError, type CategoricalData } from '@shuffle-dp/core';
import { cellProtocol } from '../run/cell-protocol.ts';
import type { Cell } from '../kinds/cell.ts';
import { inputTriples } from './audited-messages.ts';
import type { ViewSource } from './views.ts';

const CHUNK_USERS = 2 ** 18;

/** The score is the difference of the estimates of the victim's two values. @throws ParameterError for other data than categories */
export function estimateViews(cell: Cell): ViewSource {
  const { users, domain, simulation } = cell.data;
  if (cell.holds !== 'categories')
    throw new ParameterError('data', cell.holds, 'categories for an audit: one value a user');
  const protocol = cellProtocol(cell);
  const triples = inputTriples(domain);
  const cost = simulation === 'messages' ? users + domain : 64 * domain;
  return {
    dataSets: [...(domain > 2 ? (['a third input'] as const) : []), "the victim's first input"],
    pairs: triples.length,
    scores: 1,
    hasRatio: false,
    trialsAtOnce: Math.max(8, Math.floor(CHUNK_USERS / cost)),
    draw(world, dataSet, pair, trials, stream) {
      const { first, second, third } = triples[pair]!;
      const others = dataSet === 'a third input' ? third : first;
      const values = new Uint32Array(users).fill(others);
      values[0] = world === 0 ? first : second;
      const histogram = new Float64Array(domain);
      for (const value of values) histogram[value]!++;
      const data: CategoricalData = { kind: 'categories', users, domain, histogram, values };
      return Float64Array.from({ length: trials }, (_, trial) => {
        const estimate = protocol.estimate(data, stream.fork(trial));
        return estimate[first]! - estimate[second]!;
      });
    },
  };
}
