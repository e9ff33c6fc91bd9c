/**
 * `pnpm run site`, or `pnpm run site FOLDER`: the documentation, the API pages and the explorer as files that
 * any static host serves. It fails where a link leads nowhere.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROOT } from './pack.ts';
import { brokenLinks } from './site-links.ts';
import { folderPage, isImage, markdownPage, placeOf, STYLE, textPage } from './site-page.ts';

/** Every page that the project keeps, and of what else there is what they link to. */
function writePages(folder: string): number {
  const kept = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const files = kept.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)));
  const waiting = files.filter((path) => path.endsWith('.md'));
  const done = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (done.has(path) || !existsSync(join(ROOT, path))) continue;
    done.add(path);
    if (statSync(join(ROOT, path)).isDirectory()) {
      const inside = files.filter((file) => file.startsWith(`${path}/`));
      if (!inside.includes(`${path}/README.md`)) write(`${path}/index.html`, folderPage(path, inside));
      waiting.push(...inside);
    } else if (path.endsWith('.md')) {
      const { html, links } = markdownPage(path, readFileSync(join(ROOT, path), 'utf8'));
      write(placeOf(path), html);
      waiting.push(...links);
    } else if (isImage(path)) copy(join(ROOT, path), path);
    else write(placeOf(path), textPage(path, readFileSync(join(ROOT, path), 'utf8')));
  }
  return done.size;

  function write(place: string, text: string): void {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    writeFileSync(join(folder, place), text);
  }

  function copy(from: string, place: string): void {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    cpSync(from, join(folder, place), { recursive: true });
  }
}

function writeApi(folder: string): void {
  const room = join(ROOT, 'docs/api');
  execFileSync(join(room, 'node_modules/.bin/typedoc'), ['--readme', 'none', '--out', join(folder, 'api')], {
    cwd: room,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** What the packages' own build has left. @throws Error where it has left nothing */
function copyExplorer(folder: string): void {
  const built = join(ROOT, 'packages/explorer/dist/site');
  if (!existsSync(built)) throw new Error('the explorer is not built: pnpm run build');
  cpSync(built, join(folder, 'explorer'), { recursive: true });
}

const folder = resolve(process.argv[2] ?? join(ROOT, 'site'));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'style.css'), STYLE);
const pages = writePages(folder);
copyExplorer(folder);
writeApi(folder);
const broken = brokenLinks(folder);
if (broken.length > 0) {
  process.stderr.write(`${broken.join('\n')}\n${broken.length} links lead nowhere\n`);
  process.exitCode = 1;
} else process.stdout.write(`${pages} pages, the API and the explorer are in ${folder}\n`);
