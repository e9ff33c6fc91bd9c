/** A sealed run for people: what each party has seen, what it cost, and what it does not protect. */
import { largestDifference, type SealedRun, type View } from '@shuffle-dp/experiments/sealed-run';
import { counted } from '@shuffle-dp/experiments/words';
import { shortNumber, textTable } from './text-table.ts';

export interface Views {
  readonly clients: View;
  readonly shuffler: View;
  readonly analyzer: View;
}

/** One line, which is broken where the terminal ends. */
const NOT_PROTECTED =
  "Not protected: the number of messages and the times at which they come; the users' privacy, beyond the local guarantee of each randomizer, " +
  'if analyzer and shuffler collude; the estimates, if users send messages that no honest user would send.';

export function sealedText(run: SealedRun, views: Views, out: string): string {
  const { cell, rounds } = run;
  return `One trial of ${nameOf(cell)} with ${counted(cell.data.users, 'user')}, sealed

Each user knows their own value and messages; all of them are in clients.csv:
${indented(views.clients)}

The shuffler has no key, and hands on only the sealed bytes. It saw shuffler.csv:
${indented(views.shuffler)}

The analyzer has the key, and gets the messages in the shuffler's order. It saw analyzer.csv:
${indented(views.analyzer)}

${costs(run)}
${rounds.map(refusals).join('')}
${equality(run)}
All views are in ${out}.

${NOT_PROTECTED}${collusionText(cell)}`;
}

function collusionText({ threats }: SealedRun['cell']): string {
  return threats?.colluding
    ? ` In this cell ${shortNumber(100 * threats.colluding)} % of the users collude: what they send is known to the analyzer.`
    : '';
}

function nameOf({ label, spec }: SealedRun['cell']): string {
  if (label !== undefined) return label;
  return 'randomizer' in spec ? `${spec.kind}, ${spec.randomizer},` : spec.kind;
}

function indented(view: View): string {
  return view.map((line) => `    ${line}`).join('\n');
}

function costs({ rounds }: SealedRun): string {
  const columns = ['messages of', 'sent', 'bytes open', 'sealed', 'ms each: seal', 'shuffle', 'open'];
  return textTable(
    columns,
    rounds.map(({ stage, sent, bytes, seconds }) => [
      stage,
      String(sent),
      String(bytes.open),
      String(bytes.sealed),
      ...[seconds.seal, seconds.shuffle, seconds.open].map((all) => shortNumber((1000 * all) / sent, 2)),
    ]),
  );
}

/** One line for each round in which something was refused. */
function refusals({ stage, added, atShuffler, atAnalyzer }: SealedRun['rounds'][number]): string {
  const refused = (verdicts: Readonly<Record<string, number>>, taken: string): string =>
    Object.entries(verdicts)
      .filter(([verdict]) => verdict !== taken)
      .map(([verdict, times]) => `${verdict} ${times}`)
      .join(', ') || 'nothing';
  const attacks = Object.entries(added).map(([attack, times]) => `${attack} ${times}`);
  if (attacks.length === 0 && !('does not open' in atAnalyzer)) return '';
  return `
${stage}:
  added by the network: ${attacks.join(', ') || 'nothing'}
  refused by the shuffler: ${refused(atShuffler, 'accepted')}
  refused by the analyzer: ${refused(atAnalyzer, 'opened')}
`;
}

function equality(run: SealedRun): string {
  const difference = largestDifference(run);
  const compared = `${counted(run.estimates.length, 'estimate')} compared with the unsealed run`;
  if (difference === 0) return `${compared}: equal, bit by bit.`;
  const isAdded = run.rounds.some(({ added }) => Object.keys(added).length > 0);
  const why = isAdded ? '; messages that were added change the order of sums' : '';
  return `${compared}: largest difference ${shortNumber(difference, 2)}${why}.`;
}
