/** Command lines of `plan` with a fault. */
import { faultyWords, type BadInput, type FaultyWords } from './bad-input.ts';

const MEAN = '--task mean --users 100 --delta 1e-6';

const PLAN: FaultyWords[] = [
  ['', '--task is missing'],
  ['--task median', "'median' is invalid"],
  ['--task mean', '--users is missing'],
  ['--task mean --users 100', '--delta is missing'],
  ['--task mean --users 1 --delta 1e-6', 'Must be an integer from 2'],
  [MEAN, 'exactly one of --epsilon'],
  [`${MEAN} --epsilon 1 --error 1`, 'exactly one of --epsilon'],
  [
    '--task frequencies --users 100 --delta 1e-6 --epsilon 1 --domain 1e15',
    '--domain = 1000000000000000: must be an integer from 2 to 4194304',
  ],
  [`${MEAN} --epsilon 1 --write p.svg --chart ./p.svg`, 'must be another file than that of --write'],
  [`${MEAN} --epsilon 0`, '--epsilon = 0'],
  [`${MEAN} --epsilon x`, 'Must be a finite number'],
  [`${MEAN} --epsilon 1 --domain 4`, '--domain = 4: must be left out'],
  [`${MEAN} --epsilon 1 --items 4`, '--items = 4: must be left out'],
  [`${MEAN} --epsilon 1 --max-bits 0`, '--max-bits = 0: must be positive'],
  [`${MEAN} --epsilon 1 --max-messages -1`, '--max-messages = -1: must be positive'],
  [`${MEAN} --epsilon 1 --trust nobody`, "'nobody' is invalid"],
  [`${MEAN} --epsilon 1 --verify`, '--write is missing'],
  [`${MEAN} --epsilon 1 --write ''`, 'Must not be empty'],
  [
    `${MEAN} --epsilon 1 --write none/p.yaml`,
    '--write none/p.yaml: cannot be written: none: no such file or folder',
  ],
  [`${MEAN} --epsilon 1 --chart .`, '--chart .: must be a file'],
  [`${MEAN} --epsilon 1 --chart p.gif`, '--chart p.gif: must end in .svg, .png or .pdf'],
  [`${MEAN} --epsilon 1 --max-bits 0.1`, 'no protocol is left: '],
  [
    '--task frequencies --users 100 --delta 1e-6 --epsilon 1',
    '--domain is missing: the number of categories',
  ],
  ['--task frequencies --users 100 --delta 2 --epsilon 1 --domain 4', '--delta = 2'],
  ['--task sets --users 100 --delta 1e-6 --epsilon 1 --domain 4', '--items is missing: the items of a user'],
  ['--task sets --users 100 --delta 1e-6 --epsilon 1 --domain 4 --items 4', '--items = 4'],
  ['--task vector-mean --users 100 --delta 1e-6 --epsilon 1', '--domain is missing'],
  [
    '--task vector-mean --users 100 --delta 1e-6 --epsilon 1 --domain 4 --top 2',
    '--top = 2: must be left out',
  ],
  ['--task vector-mean --users 100 --delta 1e-6 --epsilon 1 --domain 70000', '--domain = 70000'],
  ['--task heavy-hitters --users 100 --delta 1e-6 --epsilon 1', '--domain is missing'],
  ['--task heavy-hitters --users 100 --delta 1e-6 --epsilon 1 --domain 4 --top 5', '--top = 5'],
  [
    '--task heavy-hitters --users 100 --delta 1e-6 --epsilon 1 --domain 1048576 --top 65537',
    '--top = 65537: must be an integer from 1 to 65536',
  ],
  ['--task heavy-hitters --users 100 --delta 1e-6 --error 1 --domain 4', '--error = 1: must be left out'],
];

export const PLANS: readonly BadInput[] = faultyWords('plan', PLAN);
