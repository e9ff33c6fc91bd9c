/** Which state of the code made a result. */
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The commit of the checkout, with '-dirty' where files differ from it; 'unknown' outside one. */
export function codeVersion(): string {
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
