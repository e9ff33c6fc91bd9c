/** Pages of the site: from Markdown and from text files of the checkout, with one head and one look. */
import { posix } from 'node:path';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';

/**
 * Where a file of the checkout is on the site: README.md is the index of its folder, text that is no page
 * gets one of its own.
 */
export function placeOf(path: string): string {
  if (/(^|\/)README\.md$/u.test(path)) return path.replace(/README\.md$/u, 'index.html');
  if (path.endsWith('.md')) return path.replace(/\.md$/u, '.html');
  return isImage(path) ? path : `${path}.html`;
}

export function isImage(path: string): boolean {
  return /\.(png|svg)$/u.test(path);
}

/** A page of Markdown. @param path in the checkout; links to other files of it become links to their pages */
export function markdownPage(
  path: string,
  text: string,
): { readonly html: string; readonly links: readonly string[] } {
  const links: string[] = [];
  const marked = new Marked(gfmHeadingId(), {
    walkTokens(token) {
      if (token.type !== 'link' && token.type !== 'image') return;
      const [file = '', anchor] = String(token['href']).split('#');
      if (file === '' || /^[a-z]+:/u.test(file)) return;
      const target = posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/u, '');
      links.push(target);
      // A folder of the checkout is listed on a page of its own.
      const place =
        posix.extname(target) === '' && target !== 'LICENSE' ? `${target}/index.html` : placeOf(target);
      const relative = posix.relative(posix.dirname(placeOf(path)), place);
      token['href'] = anchor === undefined ? relative : `${relative}#${anchor}`;
    },
  });
  const body = marked.parse(text, { async: false });
  const title = /^# (.+)$/mu.exec(text)?.[1]?.replaceAll('`', '') ?? path;
  return { html: framed(placeOf(path), title, `<article>${body}</article>`), links };
}

/** A text file as it is. */
export function textPage(path: string, text: string): string {
  return framed(
    placeOf(path),
    path,
    `<article><h1>${path}</h1><pre><code>${escaped(text)}</code></pre></article>`,
  );
}

/** What a folder of the checkout holds. @param files beneath it, as paths in the checkout */
export function folderPage(folder: string, files: readonly string[]): string {
  const place = `${folder}/index.html`;
  const items = files.map((file) => {
    const name = posix.relative(folder, file);
    return `<li><a href="${posix.relative(folder, placeOf(file))}">${escaped(name)}</a></li>`;
  });
  return framed(place, folder, `<article><h1>${folder}</h1><ul>${items.join('')}</ul></article>`);
}

const NAVIGATION = [
  ['shuffle-dp', 'index.html'],
  ['Start here', 'docs/start-here.html'],
  ['Documentation', 'docs/index.html'],
  ['API', 'api/index.html'],
  ['Explorer', 'explorer/index.html'],
] as const;

function framed(place: string, title: string, body: string): string {
  const from = posix.dirname(place);
  const links = NAVIGATION.map(
    ([text, to]) =>
      `<a href="${posix.relative(from, to)}"${to === place ? ' aria-current="page"' : ''}>${text}</a>`,
  );
  const heading = title === 'shuffle-dp' ? title : `${title} · shuffle-dp`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(heading)}</title>
<link rel="stylesheet" href="${posix.relative(from, 'style.css')}">
</head>
<body>
<nav aria-label="Site">${links.join('')}</nav>
<main>${body}</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

export const STYLE = `:root { color-scheme: light dark; --soft: light-dark(#5a6472, #a3adba); --line: light-dark(#d9dee5, #343c46); --tint: light-dark(#f4f6f9, #1c2229); --link: light-dark(#0b5cad, #82bdf5); }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; background: light-dark(#fff, #12161b); color: light-dark(#1b2027, #e4e8ed); }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; padding: .8rem max(1rem, calc(50vw - 30rem)); border-bottom: 1px solid var(--line); }
nav a { color: var(--soft); text-decoration: none; } nav a:first-child { font-weight: 600; } nav a[aria-current] { color: inherit; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
a { color: var(--link); } img { max-width: 100%; height: auto; background: #fff; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2.2rem; }
pre { overflow-x: auto; padding: .8rem 1rem; background: var(--tint); border-radius: 6px; font-size: .82rem; line-height: 1.45; }
code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; } pre code { font-size: 1em; overflow-wrap: normal; }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .92rem; }
th, td { padding: .35rem .7rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
@media print { nav { display: none; } main { max-width: none; } }
`;
