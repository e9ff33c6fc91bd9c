/**
 * Links of a built site: every one that stays on it leads to a file, and where it names a place, to that
 * place.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** @returns one line for each link that leads nowhere; empty where all do */
export function brokenLinks(folder: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsOf = (file: string): ReadonlySet<string> => {
    const known =
      anchors.get(file) ?? new Set(matches(readFileSync(file, 'utf8'), /\s(?:id|name)="([^"]*)"/gu));
    anchors.set(file, known);
    return known;
  };
  return pages.flatMap((page) => {
    const file = join(folder, page);
    // What scripts put together is not in the page yet.
    const text = readFileSync(file, 'utf8').replaceAll(/<script[^]*?<\/script>/gu, '');
    return matches(text, /\s(?:href|src)="([^"]*)"/gu).flatMap((link) => {
      if (/^(?:[a-z]+:|\/\/)/u.test(link)) return [];
      const [path = '', anchor = ''] = link.replaceAll('&amp;', '&').split('#');
      const target = path === '' ? file : resolve(dirname(file), decodeURIComponent(path.split('?')[0]!));
      const found =
        existsSync(target) && statSync(target).isDirectory() ? join(target, 'index.html') : target;
      if (relative(folder, found).startsWith('..')) return [`${page}: ${link} leaves the site`];
      if (!existsSync(found)) return [`${page}: ${link} leads to no file`];
      const places = anchor !== '' && found.endsWith('.html');
      return places && !anchorsOf(found).has(decodeURIComponent(anchor))
        ? [`${page}: ${link} names no place`]
        : [];
    });
  });
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => found!);
}
