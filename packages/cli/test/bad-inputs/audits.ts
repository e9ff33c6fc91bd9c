/** Command lines of `audit` and `calibrate` with a fault. */
import { CATEGORIES } from './experiment-configs.ts';
import { faultyWords, type BadInput, type FaultyWords } from './bad-input.ts';

const GRR = 'grr --epsilon0 1 --domain 4 --users 100';

const AUDIT: FaultyWords[] = [
  ['', "missing required argument 'mechanism or config'"],
  ['nope', 'mechanism = "nope": must be one of grr, binary-rr'],
  ['.', 'cannot be read: it is a folder'],
  ['/dev/zero', '/dev/zero: is too long'],
  ['grr', '--epsilon0 is missing'],
  ['grr --epsilon0 1', '--domain is missing'],
  ['grr --epsilon0 1 --domain 4', '--users is missing'],
  ['grr --epsilon0 -1 --domain 4 --users 100', '--epsilon0 = -1'],
  ['grr --epsilon0 -1 --domain 4 --users 100 --out new', '--epsilon0 = -1'],
  ['grr --epsilon0 1 --domain 4 --users 1', 'Must be an integer from 2'],
  [`${GRR} --sigma 1`, '--sigma is not a parameter of grr'],
  [`${GRR} --trials 0`, 'Must be an integer from 1000'],
  [`${GRR} --trials 1e12`, 'Must be an integer from 1000'],
  [`${GRR} --confidence 1`, 'Must be above 0 and below 1'],
  [`${GRR} --confidence 0`, 'Must be above 0 and below 1'],
  [`${GRR} --deltas ''`, 'Must be a finite number'],
  [`${GRR} --deltas 0.1,x`, 'Must be a finite number'],
  [`${GRR} --deltas 0.1,,0.2`, 'Must be a finite number'],
  [`${GRR} --deltas 0.1,0`, 'Must be above 0 and below 1'],
  [`${GRR} --deltas 0.1,0.2,0.10`, 'Must not have a value twice'],
  [`${GRR} --deltas 2`, 'Must be above 0 and below 1'],
  [`${GRR} --simulation nope`, "'nope' is invalid"],
  [`${GRR} --workers -1`, 'Must be an integer from 0 to 1024'],
  [`${GRR} --workers 0 --published nope`, '--published = "nope": must be one of'],
  [
    `${GRR} --workers 0 --published erlingsson`,
    '--published = "erlingsson": must be a bound that claims something here: needs epsilon0 < 1/2',
  ],
  [`${GRR} --seed ''`, 'Must not be empty'],
  [`${GRR} --out ''`, 'Must not be empty'],
  [`${GRR} --out /dev/null`, '/dev/null: cannot be written: it is not a folder'],
  [`${GRR} extra`, 'too many arguments'],
  ['priv-unit --epsilon0 1 --cap 0.25 --users 10 --workers 0', 'must be one of grr, binary-rr'],
];

const CONFIGS: FaultyWords[] = [
  ['c.yaml --users 10', '--users is not used with a config'],
  ['c.yaml --epsilon0 1', '--epsilon0 is not used with a config'],
  ['c.yaml --published blanket', '--published is not used with a config'],
];

const TARGET = '--users 100 --epsilon 1 --delta 1e-6';

const CALIBRATE: FaultyWords[] = [
  ['', "missing required argument 'mechanism'"],
  [`nope ${TARGET}`, 'mechanism = "nope": must be one of general, grr'],
  [`grr ${TARGET}`, '--domain is missing'],
  ['grr --domain 4 --users 100 --epsilon 1', '--delta is missing'],
  ['grr --domain 4 --users 100 --delta 1e-6', '--epsilon is missing'],
  ['grr --domain 4 --epsilon 1 --delta 1e-6', '--users is missing'],
  ['grr --domain 4 --users 0 --epsilon 1 --delta 1e-6', 'Must be an integer from 1'],
  ['grr --domain 4 --users 100 --epsilon 0 --delta 1e-6', '--epsilon = 0: must be a positive number'],
  ['grr --domain 4 --users 100 --epsilon inf --delta 1e-6', '--epsilon = inf'],
  ['grr --domain 4 --users 100 --epsilon 1 --delta 2', '--delta = 2'],
  ['grr --domain 4 --users 100 --epsilon 1 --delta 0', '--delta = 0'],
  [`grr --domain 1 ${TARGET}`, '--domain = 1'],
  [`grr --domain 4 --epsilon0 1 ${TARGET}`, '--epsilon0 is the parameter to be found'],
  [`grr --domain 4 --sigma 1 ${TARGET}`, '--sigma is not a parameter of grr'],
  [`grr --domain 4 --rounds 0 ${TARGET}`, 'Must be an integer from 1 to 1000000'],
  [`grr --domain 4 --rounds 1.5 ${TARGET}`, 'Must be an integer from 1 to 1000000'],
  [`grr --domain 4 ${TARGET} extra`, 'too many arguments'],
  ['gaussian --users 2 --epsilon 1e-9 --delta 1e-12', '--epsilon = 1e-9: must be at least'],
];

export const AUDITS: readonly BadInput[] = [
  ...faultyWords('audit', AUDIT),
  ...faultyWords('audit', CONFIGS).map((input) => ({ ...input, files: { 'c.yaml': CATEGORIES } })),
  ...faultyWords('calibrate', CALIBRATE),
];
