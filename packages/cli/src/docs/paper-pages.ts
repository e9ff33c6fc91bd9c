/**
 * docs/papers: for each paper what it claims, what holds, and every statement of it with its place in the
 * code and its verdict.
 */
import { GENERATED, markdownTable } from '@shuffle-dp/experiments/report';
import { committedLedger, type Ledger } from '@shuffle-dp/papers/claims';
import {
  PAPER_READINGS,
  PAPER_TITLES,
  type PaperReading,
  type Standing,
  type Statement,
} from '@shuffle-dp/papers/statements';

const LEGEND: Readonly<Record<Standing, string>> = {
  definition: 'nothing to judge',
  holds: 'proved here, or held against exact values',
  misprint: 'what is meant is not what is printed',
  refuted: 'contradicted by a proof or an exact computation',
  open: 'neither proved nor refuted here',
  background: 'cited, or a step of a proof; not judged by itself',
  missing: 'not built',
};

export function paperPages(): { readonly path: string; readonly text: () => string }[] {
  return PAPER_READINGS.map((reading) => ({
    path: `../../../../docs/papers/${reading.paper}.md`,
    text: () => paperPage(reading, committedLedger()),
  }));
}

function paperPage({ paper, claims, holds, fails, today, statements }: PaperReading, ledger: Ledger): string {
  const standings = [...new Set(statements.flatMap(({ standing }) => standing ?? []))];
  const notes = statements.filter(({ note }) => note);
  return `${[
    `# ${PAPER_TITLES[paper]}`,
    GENERATED,
    `**What it says.** ${claims}`,
    `**What holds.** ${holds}`,
    `**What does not.** ${fails}`,
    `**What we would use today.** ${today}`,
    '## Every statement',
    'In the order of the paper: where the code has it, and what became of it. A verdict with a link is a claim of the\n[ledger](../reproduction.md), measured and judged by a stated criterion. The others:',
    standings.map((standing) => `- **${standing}**: ${LEGEND[standing]}.`).join('\n'),
    markdownTable(
      ['statement', 'section', 'what', 'code', 'verdict'],
      statements.map((statement) => [
        statement.label,
        statement.section,
        statement.says,
        codeOf(statement),
        verdictOf(statement, ledger),
      ]),
    ),
    ...(notes.length === 0
      ? []
      : ['## Notes', notes.map(({ label, note }) => `- **${label}.** ${note}`).join('\n')]),
  ].join('\n\n')}\n`;
}

function codeOf({ code }: Statement): string {
  const files = [...new Set(code.map((place) => place.split(': ')[0]!))];
  return files.map((file) => `[${file.split('/').at(-1)}](${sourceOf(file)})`).join(', ');
}

/** From docs/papers to a file named by its package and its path below src. */
function sourceOf(file: string): string {
  const [room, ...rest] = file.split('/');
  return `../../packages/${room}/src/${rest.join('/')}`;
}

function verdictOf({ claims = [], standing, shownBy }: Statement, ledger: Ledger): string {
  if (claims.length === 0) return shownBy ? `[${standing}](../../${shownBy})` : `${standing}`;
  return claims
    .map((id) => {
      const verdict = ledger.claims.find((claim) => claim.id === id)?.verdict ?? 'not-run';
      return `[${id}](../reproduction.md#${id.replaceAll('.', '')}-${verdict}): ${verdict}`;
    })
    .join(', ');
}
