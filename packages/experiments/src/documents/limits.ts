/**
 * What is refused for its size, before memory is taken for it. Each limit has its reason; docs/limits.md is
 * written from here.
 */

export const LIMITS = {
  configBytes: {
    most: 2 ** 20,
    of: 'bytes of a config or schedule',
    because: 'longer lists are sweeps that nobody waits for, and YAML is read at about a megabyte a second',
  },
  cells: {
    most: 20_000,
    of: 'cells of a run',
    because: 'the journal begins with all of them',
  },
  trials: {
    most: 1_000_000,
    of: 'trials of a cell',
    because: 'the line of a finished cell has three numbers for each, and a line is one text',
  },
  trialsInAll: {
    most: 20_000_000,
    of: 'trials of all cells of a run',
    because: 'a run that is written holds three numbers for each',
  },
  domain: {
    most: 2 ** 22,
    of: 'categories',
    because: 'a thread holds some twenty arrays with 8 bytes a category',
  },
  setDomain: {
    most: 65_535,
    of: 'items that sets are made of',
    because: 'an item of a set is two bytes',
  },
  estimates: {
    most: 2 ** 16,
    of: 'estimates of a cell that estimates.csv shows',
    because: 'a finished cell keeps three numbers for each in one line, and the table has a row',
  },
  drawnItems: {
    most: 2 ** 28,
    of: 'users who are drawn one by one, times their items',
    because: 'they stand in one array, 1 GB for categories',
  },
  sentItems: {
    most: 10_000_000_000,
    of: 'users who are met by blocks, times their items',
    because: 'a trial takes minutes, and its messages 10 GB of memory or disk',
  },
  tableValues: {
    most: 2 ** 28,
    of: 'users of a table for trees, times their attributes',
    because: 'a value is a byte, and training and test users are copied apart',
  },
  dataBytes: {
    most: 2 ** 28,
    of: 'bytes of a data file, unpacked',
    because: 'a file is held while it is read',
  },
  rows: {
    most: 5_000_000,
    of: 'rows of a CSV file',
    because: 'a row takes some 600 bytes while the file is read',
  },
  names: {
    most: 200,
    of: 'characters of a name or a label in a config',
    because: 'names stand in tables, charts and paths',
  },
  expression: {
    most: 500,
    of: 'characters of an expression, such as that of delta',
    because: 'it is one formula',
  },
  threadsPerCore: {
    most: 4,
    of: 'worker threads per core',
    because: 'more of them take memory and give nothing',
  },
} as const;
