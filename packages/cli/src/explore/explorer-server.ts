/** Serves the explorer and the runs of a results folder to this machine alone. It reads, and never writes. */
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import { fileBeneath, listRuns } from './results-folder.ts';

export interface ExplorerServer {
  /** 'http://127.0.0.1:4747/' */
  readonly url: string;
  close(): Promise<void>;
}

export interface ServedFolders {
  /** Where the built explorer is. */
  readonly site: string;
  readonly results: string;
}

const HOST = '127.0.0.1';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'text/plain; charset=utf-8',
  '.csv': 'text/plain; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.pdf': 'application/pdf',
};

/** Pages hold their scripts and styles; nothing of them reaches beyond this server. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:; frame-ancestors 'none'; form-action 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** @param port 0 for any that is free @throws Error with the code EADDRINUSE where the port is taken */
export async function serveExplorer(folders: ServedFolders, port: number): Promise<ExplorerServer> {
  const server = createServer((request, response) => answer(folders, request, response));
  await listening(server, port);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://${HOST}:${address.port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function answer({ site, results }: ServedFolders, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
  // A page of another name that resolves to this machine must not read what is here.
  if (!isLocal(request.headers.host)) return refuse(response, 403);
  const path = decodedPath(request.url ?? '/');
  if (path === null) return refuse(response, 400);
  if (path === 'runs.json') {
    response.writeHead(200, { ...HEADERS, 'Content-Type': TYPES['.json'] });
    const { searchParams } = new URL(request.url!, `http://${HOST}`);
    response.end(JSON.stringify({ folder: results, ...listRuns(results, searchParams.get('run')) }));
    return;
  }
  // Browsers ask for it beside every page, and report what is missing as an error.
  if (path === 'favicon.ico') return refuse(response, 204);
  const inResults = path.startsWith('runs/');
  const file = inResults
    ? fileBeneath(results, path.slice('runs/'.length))
    : fileBeneath(site, path === '' ? 'index.html' : path);
  if (file === null) return refuse(response, 404);
  response.writeHead(200, {
    ...HEADERS,
    'Content-Type': TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream',
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  // Ends both wherever one of them ends: a browser may leave in the middle of a file, which is no error.
  pipeline(createReadStream(file), response, () => undefined);
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(status === 204 ? undefined : `${status}\n`);
}

function isLocal(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/u.test(host ?? '');
}

/** What follows the first '/', decoded; null where it is no address. */
function decodedPath(url: string): string | null {
  try {
    return decodeURIComponent(url.split(/[?#]/u, 1)[0]!).replace(/^\//u, '');
  } catch {
    return null;
  }
}
