import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { UsageError } from '@shuffle-dp/core';
import { openBrowser } from '../explore/open-browser.ts';
import type { ExplorerServer } from '../explore/explorer-server.ts';
import { integerOption, textOption, type OutputOptions } from '../options/options.ts';
import { printJson, printText } from '../output/print.ts';
import { noticeUnless } from '../run-config.ts';

interface ExploreOptions extends OutputOptions {
  readonly port?: number;
  readonly open: boolean;
  readonly results: string;
}

/** So that links of yesterday work today. */
const USUAL_PORT = 4747;
const LAST_PORT = 65_535;

const HELP = `
Examples:
  shuffle-dp explore
  shuffle-dp explore --port 8080 --no-open --results results

Serves only this machine, until Ctrl-C stops it.`;

export function exploreCommand(): Command {
  return new Command('explore')
    .option(
      '--port <n>',
      `port on 127.0.0.1 (default: ${USUAL_PORT}, or any that is free)`,
      integerOption(0, LAST_PORT),
    )
    .option('--no-open', 'do not open a browser')
    .option('--results <dir>', 'the folder whose runs are shown', textOption, 'results')
    .option('--json', 'one JSON document on stdout: the address')
    .option('--quiet', 'no progress')
    .addHelpText('after', HELP)
    .action(async (options: ExploreOptions) => {
      if (existsSync(options.results) && !statSync(options.results).isDirectory())
        throw new UsageError(`--results ${JSON.stringify(options.results)}: must be a folder`);
      if (!existsSync(options.results))
        noticeUnless(options.quiet)(`${options.results} is not there yet: runs are shown once it is`);
      const { explorerSite } = await import('../explore/explorer-site.ts');
      const site = await explorerSite(() => {
        if (!options.quiet) process.stderr.write('building the explorer, which takes some seconds\n');
      });
      const server = await started({ site, results: resolve(options.results) }, options.port);
      if (options.json) printJson({ url: server.url, results: options.results });
      else printText(`${server.url}\nStop it by Ctrl-C.`);
      if (options.open) openBrowser(server.url);
      await stopped();
      await server.close();
    });
}

async function started(
  folders: { readonly site: string; readonly results: string },
  port: number | undefined,
): Promise<ExplorerServer> {
  const { serveExplorer } = await import('../explore/explorer-server.ts');
  try {
    return await serveExplorer(folders, port ?? USUAL_PORT);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    if (port === undefined) return serveExplorer(folders, 0);
    throw new UsageError(
      `--port ${port}: ${code === 'EACCES' ? 'is not allowed to this user' : 'is taken by another program'}; 0 takes any that is free`,
    );
  }
}

function stopped(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => done());
  });
}
