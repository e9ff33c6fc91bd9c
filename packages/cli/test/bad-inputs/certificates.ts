/** Files that are no certificates, and what `account --certificate` and `explore` cannot use. */
import { faultyWords, type BadInput, type FaultyWords } from './bad-input.ts';

const FILES: readonly (readonly [text: string | Uint8Array, says: string])[] = [
  ['', 'v.json: must be a certificate: it is not JSON'],
  ['{"a":', 'v.json: must be a certificate: it is not JSON'],
  ['['.repeat(50_000), 'v.json: must be a certificate: its lists and objects are too deep'],
  [Uint8Array.of(0xff, 0xfe), 'v.json: must be a certificate: it is not JSON'],
  ['null', 'must be an object'],
  ['[]', 'must be an object'],
  ['{}', 'certificate is missing'],
];

const VERIFY: FaultyWords[] = [
  ['', "missing required argument 'file'"],
  ['none.json', 'none.json: cannot be read: no such file'],
  ['.', '.: cannot be read: it is a folder'],
  ['/dev/zero', '/dev/zero: must be a certificate: it is no plain file'],
  ["''", 'cannot be read'],
  ['a.json b.json', 'too many arguments'],
];

const GRR = 'grr --epsilon0 1 --domain 4 --users 100 --delta 1e-6';

const CERTIFICATE: FaultyWords[] = [
  [`${GRR} --certificate ''`, 'Must not be empty'],
  [`${GRR} --certificate none/c.json`, 'cannot be written: none: no such file or folder'],
  [`${GRR} --certificate c.json --profile ./c.json`, '--profile ./c.json: must be another file than'],
  [`${GRR} --certificate ${'x'.repeat(300)}`, 'cannot be written: its name is too long'],
  [`${GRR} --certificate .`, '--certificate .: must be a file; it is a folder'],
  [
    'poisson-blanket --rate 0.5 --domain 2 --blankets 1 --users 20 --delta 1e-6 --certificate c.json',
    'no certificate: the proof for poisson-blanket does not come from a blanket',
  ],
];

const EXPLORE: FaultyWords[] = [
  ['--port x', 'Must be an integer from 0 to 65535'],
  ['--port -1', 'Must be an integer from 0 to 65535'],
  ['--port 65536', 'Must be an integer from 0 to 65535'],
  ["--results ''", 'Must not be empty'],
  ['--results /dev/null --no-open', '--results "/dev/null": must be a folder'],
  ['extra', 'too many arguments'],
  ['--nope', "unknown option '--nope'"],
];

export const CERTIFICATES: readonly BadInput[] = [
  ...FILES.map(([text, says]) => ({ args: ['verify', 'v.json'], files: { 'v.json': text }, says })),
  ...faultyWords('verify', VERIFY),
  ...faultyWords('account', CERTIFICATE),
  ...faultyWords('explore', EXPLORE),
];
