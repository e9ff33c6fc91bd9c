/** Which state of the code made a result. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Of the source: the commit of the checkout, with '-dirty' where files differ from it; 'unknown' outside one.
 * Of a published package: its version, since the repository that it is installed in is another.
 */
export function codeVersion(): string {
  if (!import.meta.url.endsWith('.ts')) return packageVersion();
  try {
    const folder = dirname(fileURLToPath(import.meta.url));
    return execFileSync('git', ['-C', folder, 'describe', '--always', '--dirty'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
