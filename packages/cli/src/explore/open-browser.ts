/** Opens an address in the user's browser. */
import { spawn } from 'node:child_process';

/** Where there is no browser to open, nothing happens: the address was printed. */
export function openBrowser(url: string): void {
  const [command, ...args] = opener();
  const child = spawn(command!, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

function opener(): string[] {
  if (process.platform === 'darwin') return ['open'];
  // The empty argument is the title of the window.
  if (process.platform === 'win32') return ['cmd', '/c', 'start', ''];
  return ['xdg-open'];
}
