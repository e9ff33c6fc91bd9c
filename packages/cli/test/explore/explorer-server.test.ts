/** The server of `explore`: what it gives out, and what it does not. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serveExplorer, type ExplorerServer } from '../../src/explore/explorer-server.ts';

/** Where Linux lists the files that a process has open. */
const OPEN_FILES = '/proc/self/fd';

let folder: string;
let server: ExplorerServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'explore-'));
  const put = (path: string, text: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  put('secret.txt', 'secret');
  put('site/index.html', '<!doctype html>');
  put('site/engines/account.js', 'engine');
  put('results/one/report.html', 'report');
  put('results/one/figures/error.svg', '<svg/>');
  put('results/papers/seg fig2/index.html', 'gallery');
  put('results/papers/seg fig2/a/a.json', '{}');
  put('results/nothing/notes.txt', 'notes');
  put('results/.hidden/report.html', 'hidden');
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'results/one/link.txt'));
  symlinkSync(folder, join(folder, 'results/outside'));
  server = await serveExplorer({ site: join(folder, 'site'), results: join(folder, 'results') }, 0);
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

/** The path as it is: fetch would tidy it up. */
function get(
  path: string,
  { method = 'GET', host }: { method?: string; host?: string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    request({ hostname, port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode!, type: response.headers['content-type'], text }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('the server', () => {
  it('listens to this machine alone', () => expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/u));

  it.each([
    ['/', '<!doctype html>', 'text/html; charset=utf-8'],
    ['/?x=1', '<!doctype html>', 'text/html; charset=utf-8'],
    ['/engines/account.js', 'engine', 'text/javascript; charset=utf-8'],
    ['/runs/one/report.html', 'report', 'text/html; charset=utf-8'],
    ['/runs/one/figures/error.svg', '<svg/>', 'image/svg+xml'],
    ['/runs/papers/seg%20fig2/index.html', 'gallery', 'text/html; charset=utf-8'],
  ])('gives %s', async (path, text, type) => {
    expect(await get(path)).toEqual({ status: 200, text, type });
  });

  it.each([
    '/../secret.txt',
    '/runs/../../secret.txt',
    '/runs/..%2f..%2fsecret.txt',
    '/runs/%2e%2e/%2e%2e/secret.txt',
    '/runs/one/link.txt',
    '/runs/outside/secret.txt',
    '/runs/one/..%5c..%5csecret.txt',
    '/runs//etc/passwd',
    '/runs/one',
    '/runs/one/none.csv',
    '/engines/',
    '/runs/one/report.html%00.svg',
  ])('does not give %s', async (path) => {
    const { status, text } = await get(path);
    expect(status).toBe(404);
    expect(text).not.toContain('secret');
  });

  it('reads and never writes, and answers to no other name', async () => {
    expect((await get('/', { method: 'POST' })).status).toBe(405);
    expect((await get('/', { host: 'evil.example' })).status).toBe(403);
    expect((await get('/', { host: 'localhost:80' })).status).toBe(200);
    expect((await get('/%')).status).toBe(400);
  });

  it('lists runs with their files, links left out', async () => {
    const { runs } = JSON.parse((await get('/runs.json?run=one')).text) as {
      runs: { name: string; files: string[] }[];
    };
    expect(
      runs.map(({ name, files }) => ({ name, files })).sort((a, b) => a.name.localeCompare(b.name)),
    ).toEqual([
      { name: 'one', files: ['figures/error.svg', 'report.html'] },
      { name: 'papers/seg fig2', files: ['a/a.json', 'index.html'] },
    ]);
  });

  it.skipIf(!existsSync(OPEN_FILES))('closes a file whose download is broken off', async () => {
    const file = join(folder, 'results/one/long.csv');
    writeFileSync(file, Buffer.alloc(2 ** 24));
    const { hostname, port } = new URL(server.url);
    await new Promise<void>((resolve) => {
      const download = request({ hostname, port, path: '/runs/one/long.csv' }, (response) =>
        response.once('data', () => {
          expect(isOpen(file)).toBe(true);
          response.destroy();
          resolve();
        }),
      );
      download.end();
    });
    await vi.waitFor(() => expect(isOpen(file)).toBe(false));
    rmSync(file);
  });
});

function isOpen(file: string): boolean {
  return readdirSync(OPEN_FILES).some((number) => {
    try {
      return readlinkSync(join(OPEN_FILES, number)) === file;
    } catch {
      // That by which the list itself was read.
      return false;
    }
  });
}
