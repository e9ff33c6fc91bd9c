/** The frame around every page. */
import type { JSX } from 'preact';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { address } from './address/current-address.ts';
import { ShownInstead } from './controls/shown-instead.tsx';
import { PAGES, type Page } from './pages/registry.ts';
import { chooseTheme, theme, type Theme } from './theme.ts';

const started = new Set<Page>();
/** The name in an address that is no page's, while the page that is shown in its place is. */
const missed = signal<{ readonly asked: string; readonly page: Page } | null>(null);

export function App(): JSX.Element {
  const { page: name } = address.value;
  const page = PAGES.find((known) => known.name === name) ?? PAGES[0]!;
  if (page.name !== name) {
    missed.value = name === '' ? null : { asked: name, page };
    address.value = { page: page.name, fields: {} };
  }
  useEffect(() => {
    document.title = `${page.title} · shuffle-dp explorer`;
    // On a phone the pages are a row that is moved sideways.
    const link = document.querySelector<HTMLElement>('.top nav [aria-current]');
    link?.parentElement?.scrollTo({ left: link.offsetLeft - link.offsetWidth });
    if (missed.value?.page !== page) missed.value = null;
    if (started.has(page)) return;
    started.add(page);
    page.start?.();
  }, [page]);
  return (
    <>
      <a class="skip" href="#content" onClick={(event) => skip(event)}>
        Skip to the content
      </a>
      <header class="top">
        <p class="brand">
          shuffle-dp <span>explorer</span>
        </p>
        <nav aria-label="Pages">
          {PAGES.map(({ name: other, title }) => (
            <a key={other} href={`#${other}`} aria-current={other === page.name ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <ThemeChoice />
      </header>
      <main id="content" tabIndex={-1}>
        <h1>{page.title}</h1>
        <p class="question">{page.question}</p>
        <ShownInstead
          kind="page"
          asked={missed.value?.page === page ? missed.value.asked : null}
          shown={page.title}
        />
        <ShownInstead kind="field" asked={unknownFields(page)} shown={`${page.title} without it`} />
        <page.Content />
      </main>
      <footer>
        <p>
          {page.name === 'runs'
            ? 'All numbers are those that runs wrote into the results folder.'
            : 'All numbers are computed in this page, by the code behind the command line.'}{' '}
          Neighbouring data sets differ in what one user holds. Where nothing else is said, the shuffler does
          not collude.
        </p>
      </footer>
    </>
  );
}

/** Fields that the page does not have, as they would be quoted; null for none. */
function unknownFields(page: Page): string | null {
  const { fields } = address.value;
  const known = page.fields(fields);
  const others = Object.keys(fields).filter((name) => !known.includes(name));
  return others.length === 0 ? null : others.join('”, “');
}

/** The address after # is the state, so a link to a place in the page cannot be one. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

function ThemeChoice(): JSX.Element {
  return (
    <label class="theme">
      <span class="visually-hidden">colours</span>
      <select value={theme.value} onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}>
        <option value="system">as the system</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
      </select>
    </label>
  );
}
