// The two verifiers agree, on certificates that hold and on all others. Without Python there is nothing to
// compare, and the test says so.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateText, CertificateFormatError, verifyCertificate } from '@shuffle-dp/certificates';
import { afterAll, expect, it } from 'vitest';
import {
  bytesOf,
  certificateOf,
  COMPOSED,
  damaged,
  forged,
  OF_POINTS,
  SETTINGS,
  withClaim,
  withParameter,
} from './certificates.ts';
import { deepBehindString, ODD_LABELS, tooHeavy, tooLong, withLabel, withZeros } from './odd-certificates.ts';

const VERIFIER = join(import.meta.dirname, '../../../certificates/python/verify_certificate.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'certificates-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Exit codes of the Python verifier, one a file; one process for all. */
function pythonCodes(files: readonly Uint8Array[]): number[] {
  const names = files.map((file, i) => {
    const name = join(folder, `${i}.json`);
    writeFileSync(name, file);
    return name;
  });
  const script = [
    'import sys, importlib.util, io, contextlib',
    'spec = importlib.util.spec_from_file_location("verifier", sys.argv[1])',
    'verifier = importlib.util.module_from_spec(spec)',
    'spec.loader.exec_module(verifier)',
    'codes = []',
    'for name in sys.argv[2:]:',
    '    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):',
    '        codes.append(verifier.main([name]))',
    'print(*codes)',
  ].join('\n');
  const { stdout, stderr } = spawnSync('python3', ['-c', script, VERIFIER, ...names], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim().split(' ').map(Number);
}

function code(file: Uint8Array): number {
  try {
    return verifyCertificate(file).valid ? 0 : 1;
  } catch (error) {
    if (error instanceof CertificateFormatError) return 2;
    throw error;
  }
}

/** Rechecked in a tenth of a second. */
const SMALL = { mechanism: 'grr', parameters: { epsilon0: 1, domain: 2 }, users: 40, delta: 0.01 };

it.skipIf(!hasPython)('the verifier in Python says the same (skipped where there is no python3)', () => {
  const made = new Map([...SETTINGS, ...COMPOSED].map((setting) => [setting, certificateOf(setting)]));
  const whole = [...made.values()].map((content) => bytesOf(certificateText(content)));
  const contents = [...OF_POINTS, ...COMPOSED].map((setting) => made.get(setting)!);
  const broken = Array.from({ length: 40 }, (_, seed) =>
    damaged(certificateText(contents[seed % contents.length]!), 1000 + seed),
  );
  const lies = Array.from(
    { length: 30 },
    (_, seed) => forged(contents[(seed * 3) % contents.length]!, 1000 + seed).file,
  );
  const twice = withClaim(certificateText(contents[0]!), '"users": "1000000", ');
  // Of a mechanism whose masses are computed again.
  const unknown = withParameter(certificateText(contents[0]!), '"colluding":"0.9"');
  const files = [...whole, ...broken, ...lies, twice, unknown];
  const codes = pythonCodes(files);
  expect(codes).toEqual(files.map(code));
  expect(codes.slice(0, whole.length)).toEqual(whole.map(() => 0));
  expect(codes.slice(whole.length)).not.toContain(0);
});

it.skipIf(!hasPython)('both end with the same on what no maker writes', () => {
  const content = certificateOf(SETTINGS[0]!);
  const labelled = ODD_LABELS.map((label) => withLabel(content, label));
  const twice = withClaim(certificateText(content), String.raw`"\u0075sers": "1000000", `);
  const files = [...labelled, withZeros(content), tooHeavy(), tooLong(), twice, deepBehindString()];
  const codes = [...labelled.map(() => 0), 0, 1, 1, 2, 2];
  expect(files.map(code)).toEqual(codes);
  expect(pythonCodes(files)).toEqual(codes);
});

it.skipIf(!hasPython)('it prints what its readers parse', () => {
  const name = join(folder, 'whole.json');
  writeFileSync(name, certificateText(certificateOf(SMALL)));
  const { stdout, status } = spawnSync('python3', [VERIFIER, name], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ valid: true, delta: SMALL.delta, atoms: 'recomputed' });
  const zeros = join(folder, 'zeros.json');
  const content = certificateOf(SMALL);
  writeFileSync(zeros, withZeros(content));
  const padded = spawnSync('python3', [VERIFIER, zeros], { encoding: 'utf8' });
  expect(JSON.parse(padded.stdout)).toMatchObject({
    valid: true,
    epsilon: Number(content.claim.epsilon),
    delta: SMALL.delta,
  });
});
