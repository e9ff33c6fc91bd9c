/** The index of the papers' statements against the code, the ledger and the documents that it names. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLAIMS, committedLedger } from '@shuffle-dp/papers/claims';
import { FIGURES } from '@shuffle-dp/papers/figures';
import { PAPER_READINGS } from '@shuffle-dp/papers/statements';

const ROOT = new URL('../../../', import.meta.url);
const claimed = new Set(CLAIMS.map(({ id }) => id));

/** What each paper prints by number, counted in the papers themselves. */
const NUMBERED = {
  'variation-ratio': { Definition: 6, Theorem: 7, Lemma: 3, Equation: 4, Algorithm: 2, Table: 5, Figure: 5 },
  composition: { Definition: 7, Theorem: 2, Lemma: 4, Equation: 1, Algorithm: 1, Table: 1, Figure: 4 },
  segmented: {
    Definition: 7,
    Theorem: 3,
    Lemma: 3,
    Equation: 7,
    Proposition: 1,
    Algorithm: 2,
    Table: 1,
    Figure: 6,
  },
  apes: {
    Definition: 6,
    Theorem: 4,
    Lemma: 10,
    Equation: 29,
    Proposition: 1,
    Algorithm: 2,
    Table: 4,
    Figure: 10,
  },
  hps: { Definition: 2, Theorem: 2, Equation: 5, Table: 2, Figure: 4 },
} as const;

describe.each(PAPER_READINGS)('the index of $paper', ({ paper, statements }) => {
  it('has every numbered statement once', () => {
    const labels = statements.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    const counts = Object.fromEntries(
      Object.keys(NUMBERED[paper]).map((kind) => [
        kind,
        labels.filter((label) => label.startsWith(`${kind} `)).length,
      ]),
    );
    expect(counts).toEqual(NUMBERED[paper]);
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
