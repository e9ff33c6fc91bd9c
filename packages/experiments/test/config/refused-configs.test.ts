import { describe, expect, it } from 'vitest';
import { CATEGORIES, refused, edited } from './sample-configs.ts';

describe('configs that are refused', () => {
  it.each([
    ['levels: [0.5, 1]', 'levels: [0.5, -1]', 'privacy.levels[1] = -1: must be a positive number'],
    [
      'levels: [0.5, 1]',
      'levels: [1, 0.5]',
      'privacy.levels[1] = 0.5: must be greater than the level before it, 1',
    ],
    [
      'levels: [0.5, 1]',
      'levels: [1, 1]',
      'privacy.levels[1] = 1: must be greater than the level before it, 1',
    ],
    ['levels: [0.5, 1]', 'levels: []', 'privacy.levels = []: must be a list of at least one level'],
    ['levels: [0.5, 1]', 'levels: [0.5, high]', 'privacy.levels[1] = "high": must be a positive number'],
    ['levels: [0.5, 1]', 'levels: [0.5, .nan]', 'privacy.levels[1] = NaN: must be a positive number'],
    [
      '  levels: [0.5, 1]\n',
      '',
      'privacy.levels is missing: must be given for set-valued data: a list of epsilons',
    ],
    [
      'shares: [0.5, 0.5]',
      'shares: [0.5, 0.4]',
      'privacy.shares = [0.5,0.4]: must be numbers that sum to 1, not 0.9',
    ],
    ['shares: [0.5, 0.5]', 'shares: [1]', 'privacy.shares = [1]: must be a list of 2, one per level'],
    [
      '  shares: [0.5, 0.5]\n',
      '',
      'privacy.shares is missing: must be given: 2 fractions of the users, one per level',
    ],
    ['users: [100, 200]', 'users: 0', 'users = 0: must be an integer from 1 to 1000000000000'],
    ['users: [100, 200]', 'users: [100, 2.5]', 'users[1] = 2.5: must be an integer from 1 to 1000000000000'],
    ['users: [100, 200]', 'users: [100, 100]', 'users[1] = 100: must be listed once'],
    [
      'users: [100, 200]',
      'users: all',
      'users = "all": must be a number: \'all\' is only for data read from a file',
    ],
    [
      'users: [100, 200]',
      'users: many',
      'users = "many": must be an integer from 1 to 1000000000000, or \'all\'',
    ],
    ['trials: 3', 'trials: 0', 'trials = 0: must be an integer from 1 to 1000000'],
    ['trials: 3', 'trials: "3"', 'trials = "3": must be an integer from 1 to 1000000'],
    ['trials: 3\n', '', 'trials is missing: must be an integer from 1 to 1000000'],
    [
      'blanketRate: [1, 2, optimal] }',
      'blanketRate: 0,5 }',
      'protocols[0].5 = null: is not a known field; decimals have a point, as in 0.5',
    ],
    ['trials: 3', 'trails: 3\ntrials: 3', 'trails = 3: is not a known field; did you mean trials?'],
    ['adjacency: replace-one\n', '', "adjacency is missing: must be 'replace-one'"],
    ['adjacency: replace-one', 'adjacency: add-remove', 'adjacency = "add-remove": must be \'replace-one\''],
    ['items: 4', 'items: 18', 'data.items = 18: must be at most 17, the categories of MSNBC'],
    [
      'items: 4',
      'items: 4, pading: fill',
      'data.pading = "fill": is not a known field; did you mean padding?',
    ],
    ['items: 4', 'items: 4, padding: full', 'data.padding = "full": must be one of fill, dummy, truncate'],
    ['kind: msnbc-like', 'kind: msnbc-lik', 'data.kind = "msnbc-lik": must be one of msnbc-like, msnbc,'],
    [
      '{ kind: msnbc-like, items: 4 }',
      '{ kind: sets-uniform, domain: 3, items: 4 }',
      'data.items = 4: must be at most the domain, 3',
    ],
    [
      '{ kind: msnbc-like, items: 4 }',
      'msnbc',
      'data = "msnbc": must be a data set: see `shuffle-dp datasets`',
    ],
    [
      'delta: 0.01/n',
      'delta: 0.01/m',
      'privacy.delta = "0.01/m": must be a number in (0, 1) or an expression of n, d and s such as 0.01/n: \'m\' is none of',
    ],
    ['delta: 0.01/n', 'delta: 1', 'privacy.delta = 1: must be in (0, 1)'],
    [
      'delta: 0.01/n',
      'delta: 0.01/n\n  epsilon: 1',
      'privacy.epsilon = 1: must be left out: set-valued data have levels',
    ],
    ['kind: sep-mm', 'kind: sep-mn', 'protocols[1].kind = "sep-mn": must be one of segmented'],
    [
      'kind: sep-mm',
      'kind: frequency, randomizer: grr',
      'protocols[1].kind = "frequency": must be a protocol for set-valued data',
    ],
    [
      'blanketRate: [1, 2, optimal]',
      'blanketRate: [1, -2]',
      'protocols[0].blanketRate[1] = -2: must be a positive number',
    ],
    [
      'blanketRate: [1, 2, optimal]',
      'blanketRat: 1',
      'protocols[0].blanketRat = 1: is not a known field; did you mean blanketRate?',
    ],
    ['blanketRate: [1, 2, optimal]', 'blanketRate: []', 'protocols[0].blanketRate = []: must be'],
    [
      'kind: segmented,',
      'kind: segmented, accounting: exact, blankets: paper,',
      "protocols[0].blankets = \"paper\": must be 'poisson' or 'negative-binomial' for the exact accounting",
    ],
    [
      'kind: segmented,',
      'kind: segmented, accounting: published, blankets: negative-binomial,',
      'protocols[0].accounting = "published": must be \'exact\' for negative-binomial blankets',
    ],
    [
      'kind: segmented,',
      'kind: segmented, accounting: exact, successProbability: 0.5,',
      "protocols[0].successProbability = 0.5: must be left out, or blankets 'negative-binomial'",
    ],
    [
      'kind: segmented,',
      'kind: segmented, blankets: negative-binomial, successProbability: [0.5, 1],',
      'protocols[0].successProbability[1] = 1: must be a number from 0.01 to below 1',
    ],
    [
      'users: [100, 200]',
      'measure: ranges\nusers: [100, 200]',
      'measure = "ranges": must be \'frequencies\' for set-valued data',
    ],
    [
      '{ kind: sep-mm }',
      '{ kind: range-queries }',
      'protocols[1].kind = "range-queries": must be a protocol for set-valued data',
    ],
    [
      'name: test',
      'name: ../test',
      'name = "../test": must be a letter or digit, then letters, digits, dots, dashes and underscores',
    ],
  ])('%j as %j is refused by name', (from, to, message) => {
    const line = refused(edited(from, to));
    expect(line).toContain(`ConfigError: experiment.yaml: ${message}`);
    expect(line).not.toContain('\n');
  });

  it.each([
    ['epsilon: 1, ', '', 'protocols[0].epsilon0 is missing: must be given, or privacy.epsilon'],
    ['epsilon: 1', 'epsilon: 1, levels: [1]', 'privacy.levels = [1]: must be left out'],
    ['randomizer: grr', 'randomizer: grr, epsilon0: 1', 'protocols[0].epsilon0 = 1: must be left out'],
    ['randomizer: grr', 'randomizer: krr', 'protocols[0].randomizer = "krr": must be one of grr'],
    [
      'kind: frequency, randomizer: grr',
      'kind: segmented',
      'protocols[0].kind = "segmented": must be a protocol for categories',
    ],
    [
      'kind: frequency, randomizer: grr',
      'kind: cheu-zhilyaev, flip: 0.5',
      'protocols[0].flip = 0.5: must be in (0, 1/2)',
    ],
    [
      'privacy: { epsilon: 1, delta: 1e-6 }\nprotocols: [{ kind: frequency, randomizer: grr }]',
      'privacy: { delta: 1e-6 }\nprotocols: [{ kind: cheu-zhilyaev, blanketRate: 1 }]',
      'protocols[0].flip is missing: must be given, or privacy.epsilon',
    ],
    [
      'privacy: { epsilon: 1, delta: 1e-6 }\nprotocols: [{ kind: frequency, randomizer: grr }]',
      'privacy: { delta: 1e-6 }\nprotocols: [{ kind: pure-dump }]',
      'protocols[0].blanketRate is missing: must be given, or privacy.epsilon',
    ],
    ['domain: 8', 'domain: 1', 'data.domain = 1: must be an integer from 2 to 4194304'],
    [
      'randomizer: grr',
      'randomizer: grr, subsetSize: 5, hashRange: 7',
      'protocols[0].subsetSize = 5: must be left out for randomizer grr: only subset uses it',
    ],
    [
      'randomizer: grr',
      'randomizer: [local-hash, oue], hashRange: 7',
      'protocols[0].hashRange = 7: must be left out for randomizer oue: only local-hash uses it',
    ],
    [
      'kind: frequency, randomizer: grr',
      'kind: pure-dump, blanketRate: 3',
      'protocols[0].blanketRate = 3: must be left out: privacy.epsilon already sets the blankets',
    ],
    [
      'kind: frequency, randomizer: grr',
      'kind: cheu-zhilyaev, blanketRate: 3, flip: 0.1',
      'protocols[0].flip = 0.1: must be left out, or blanketRate: privacy.epsilon sets one of them',
    ],
    [
      'kind: frequency, randomizer: grr',
      'kind: range-queries, branching: [2, 1]',
      'protocols[0].branching[1] = 1: must be an integer of at least 2',
    ],
    [
      'kind: frequency, randomizer: grr',
      'kind: range-queries, epsilon0: 1',
      'protocols[0].epsilon0 = 1: must be left out',
    ],
    [
      'privacy: { epsilon: 1, delta: 1e-6 }\nprotocols: [{ kind: frequency, randomizer: grr }]',
      'privacy: { delta: 1e-6 }\nprotocols: [{ kind: range-queries }]',
      'protocols[0].epsilon0 is missing: must be given, or privacy.epsilon',
    ],
    ['users: 100', 'measure: range\nusers: 100', 'measure = "range": must be one of frequencies, ranges'],
    ['epsilon: 1', 'epsilon: [1, 0]', 'privacy.epsilon[1] = 0: must be a positive number'],
  ])('for categories, %j as %j is refused by name', (from, to, message) => {
    expect(refused(edited(from, to, CATEGORIES))).toContain(`ConfigError: experiment.yaml: ${message}`);
  });
});
