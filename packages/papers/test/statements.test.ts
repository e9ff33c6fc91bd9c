/** The index of the papers' statements against the code, the ledger and the documents that it names. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLAIMS, committedLedger } from '@shuffle-dp/papers/claims';
import { FIGURES } from '@shuffle-dp/papers/figures';
import { PAPER_READINGS } from '@shuffle-dp/papers/statements';

const ROOT = new URL('../../../', import.meta.url);
const claimed = new Set(CLAIMS.map(({ id }) => id));

/** 1 to n, as most kinds are numbered. */
const upTo = (n: number): string[] => Array.from({ length: n }, (_, i) => String(i + 1));

/** What each paper prints by number, read off the papers themselves. */
const NUMBERED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'variation-ratio': {
    Definition: ['3.1', '3.2', '3.3', '3.4', '3.5', '3.6'],
    Theorem: ['4.1', '4.2', '4.3', '4.7', '4.8', '5.1', '6.1'],
    Lemma: ['4.4', '4.5', '4.6'],
    Equation: upTo(4),
    Algorithm: upTo(2),
    Table: upTo(5),
    Figure: upTo(5),
  },
  composition: {
    Definition: upTo(7),
    Theorem: upTo(2),
    Lemma: upTo(4),
    Equation: upTo(1),
    Algorithm: upTo(1),
    Table: upTo(1),
    Figure: upTo(4),
  },
  segmented: {
    Definition: upTo(7),
    Theorem: upTo(3),
    Lemma: upTo(3),
    Equation: upTo(7),
    Proposition: upTo(1),
    Algorithm: upTo(2),
    Table: upTo(1),
    Figure: upTo(6),
  },
  apes: {
    Definition: upTo(6),
    Theorem: upTo(4),
    Lemma: upTo(10),
    Equation: upTo(29),
    Proposition: upTo(1),
    Algorithm: upTo(2),
    Table: upTo(4),
    Figure: upTo(10),
  },
  hps: { Definition: upTo(2), Theorem: upTo(2), Equation: upTo(5), Table: upTo(2), Figure: upTo(4) },
};

describe.each(PAPER_READINGS)('the index of $paper', ({ paper, statements }) => {
  it('has every numbered statement once', () => {
    const labels = statements.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    const wanted = Object.entries(NUMBERED[paper]!).flatMap(([kind, numbers]) =>
      numbers.map((number) => (kind === 'Equation' ? `Equation (${number})` : `${kind} ${number}`)),
    );
    // Sections stand beside them where a statement has no number.
    expect(labels.filter((label) => !label.startsWith('Section ')).toSorted()).toEqual(wanted.toSorted());
  });

  it('names code that exists', () => {
    const missing = statements
      .flatMap(({ code }) => code)
      .filter((place) => {
        const [file, name] = place.split(': ');
        const [room, ...rest] = file!.split('/');
        const url = new URL(`packages/${room}/src/${rest.join('/')}`, ROOT);
        if (!existsSync(url)) return true;
        return !new RegExp(`^export (async )?(function|const|class|interface|type) ${name}\\b`, 'mu').test(
          readFileSync(url, 'utf8'),
        );
      });
    expect(missing).toEqual([]);
  });

  it('has a verdict for each: claims that exist, or a standing', () => {
    for (const { label, claims, standing, shownBy, note, code } of statements) {
      expect(
        (claims === undefined) !== (standing === undefined),
        `${label}: one of claims and standing`,
      ).toBe(true);
      for (const id of claims ?? []) expect(claimed.has(id), `${label}: ${id}`).toBe(true);
      if (shownBy) expect(existsSync(new URL(shownBy, ROOT)), `${label}: ${shownBy}`).toBe(true);
      const needs = {
        shownBy: standing === 'holds' || standing === 'refuted',
        note: standing === 'missing' || standing === 'misprint',
        code: standing === 'definition',
      };
      expect(!needs.shownBy || shownBy !== undefined, `${label}: shown by what`).toBe(true);
      expect(!needs.note || note !== undefined, `${label}: why`).toBe(true);
      expect(!needs.code || code.length > 0, `${label}: where`).toBe(true);
    }
  });

  it('is where every claim and figure of the paper is found', () => {
    const listed = new Set(statements.flatMap(({ claims }) => claims ?? []));
    const own = CLAIMS.filter((claim) => claim.paper === paper).map(({ id }) => id);
    expect(own.filter((id) => !listed.has(id))).toEqual([]);
    const labels = statements.map(({ label }) => label);
    const numbers = FIGURES.filter((figure) => figure.paper === paper).flatMap(
      ({ title }) => /(Figure|Table) \d+/u.exec(title)?.[0] ?? [],
    );
    expect(numbers.filter((label) => !labels.includes(label))).toEqual([]);
  });
});

it('agrees with the ledger on which claims there are', () => {
  expect(committedLedger().claims.map(({ id }) => id)).toEqual(CLAIMS.map(({ id }) => id));
});
