/** Metric privacy: inputs at a distance of d nats are told apart by at most d. */
import { EACH_USER, optional, parameter, type MechanismEntry } from './mechanism-entry.ts';

const separation = parameter('separation', '(0, 700]', "distance of the victim's two inputs, in nats");
const reach = optional(
  parameter(
    'reach',
    '[separation, 700]',
    'largest distance of any input from either, in nats; default separation',
  ),
);

export const METRIC_MECHANISMS: readonly MechanismEntry[] = [
  {
    name: 'metric-general',
    title: 'Any metric-private randomizer',
    description: 'Whatever randomizer tells inputs at distance d apart by at most d.',
    source: 'Chatzikokolakis, Andrés, Bordenabe and Palamidessi, PETS 2013',
    citation: 'chatzikokolakis2013',
    parameters: [separation, reach],
    usersMean: EACH_USER,
    ratios: { p: 'e^separation', beta: 'tanh(separation/2)', q: 'e^reach' },
    estimator: 'that of the randomizer at hand',
    example: { separation: 1, reach: 2 },
  },
  {
    name: 'metric-laplace',
    title: 'Laplace noise on the line',
    description: 'A number with Laplace noise of scale one, distances in its units.',
    source: 'Chatzikokolakis, Andrés, Bordenabe and Palamidessi, PETS 2013',
    citation: 'chatzikokolakis2013',
    parameters: [separation, reach],
    usersMean: EACH_USER,
    ratios: { p: 'e^separation', beta: '1 - e^(-separation/2)', q: 'e^reach' },
    estimator: 'the mean of the messages',
    example: { separation: 1, reach: 2 },
  },
  {
    name: 'planar-laplace',
    title: 'Planar Laplace mechanism',
    description: 'A place with noise whose density falls exponentially with the distance.',
    source: 'Andrés, Bordenabe, Chatzikokolakis and Palamidessi, CCS 2013',
    citation: 'andres2013',
    parameters: [separation, reach],
    usersMean: EACH_USER,
    ratios: {
      p: 'e^separation',
      beta: '(2/pi) times the integral of u K1(u) from 0 to separation/2',
      q: 'e^reach',
    },
    estimator: 'the mean of the messages',
    example: { separation: 1, reach: 2 },
  },
];
