/** A look at the shuffle, for people who ask where it is. */
import type { RunResult } from '@shuffle-dp/experiments/results';

export function traceText(run: RunResult): string {
  const [cell] = run.cells;
  const stages = (run.trace ?? []).map(
    ({ stage, permutedBy, messages, before, after }) => `
${stage}: ${messages} messages
  as the users send them (only the shuffler sees this order):
${indent(before)}
  permuted uniformly by the stream ${permutedBy}
  as the analyzer gets them:
${indent(after)}`,
  );
  return `Trial 0 of ${cell!.protocol} with ${cell!.users} users, message path
${stages.join('\n')}

A user sees their own value and messages. The shuffler permutes the messages and needs none of their content. The analyzer
sees the permuted messages of all users and nothing else. If the shuffler colludes with the analyzer, only the local guarantee
of each randomizer remains.`;
}

function indent(lines: readonly string[]): string {
  return lines.map((line, i) => `    ${i}: ${line}`).join('\n');
}
