// Pages of the site, and the check of their links.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { brokenLinks } from '../../release/site-links.ts';
import { folderPage, markdownPage, textPage } from '../../release/site-page.ts';

describe('a page of Markdown', () => {
  const text = `# A \`page\`

## Two words

[a](other.md#two-words) [b](../README.md) [c](../packages/core/src/index.ts) [d](../examples/own-data) [e](#two-words)
[f](https://example.org/x.md) ![g](images/g.svg)
`;
  const { html, links } = markdownPage('docs/page.md', text);

  it('links to pages of the site', () => {
    for (const href of [
      'other.html#two-words',
      '../index.html',
      '../packages/core/src/index.ts.html',
      '../examples/own-data/index.html',
      '#two-words',
      'https://example.org/x.md',
    ])
      expect(html).toContain(`<a href="${href}">`);
    expect(html).toContain('<img src="images/g.svg"');
    expect(html).toContain('<h2 id="two-words">');
    expect(html).toContain('<title>A page · shuffle-dp</title>');
  });

  it('says what of the checkout it links to', () => {
    expect(links).toEqual([
      'docs/other.md',
      'README.md',
      'packages/core/src/index.ts',
      'examples/own-data',
      'docs/images/g.svg',
    ]);
  });
});

it('text and folders have pages, and nothing in them is taken for HTML', () => {
  expect(textPage('a/b.ts', 'if (a < b) "c" & d')).toContain('if (a &lt; b) &quot;c&quot; &amp; d');
  expect(folderPage('a', ['a/b.yaml', 'a/c.md'])).toContain('<a href="b.yaml.html">b.yaml</a>');
});

describe('the check of links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-site-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'in'));
  writeFileSync(join(folder, 'in/index.html'), '<h1 id="here">x</h1>');

  it('finds every link that leads nowhere', () => {
    writeFileSync(
      join(folder, 'index.html'),
      `<a href="in">1</a><a href="in/index.html#here">2</a><a href="https://example.org/none">3</a>
      <script>'<a href="made.html">'</script><a href="none.html">4</a><a href="in/index.html#there">5</a><img src="../x.png"><a href="#up">6</a>`,
    );
    expect(brokenLinks(folder)).toEqual([
      'index.html: none.html leads to no file',
      'index.html: in/index.html#there names no place',
      'index.html: ../x.png leaves the site',
      'index.html: #up names no place',
    ]);
  });
});
