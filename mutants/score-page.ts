/** docs/mutants.md: how many broken places the tests notice, and the ones that they do not. */
import type { Mutation } from './mutations.ts';

export interface Judged {
  readonly mutation: Mutation;
  readonly was: string;
  readonly noticed: boolean;
}

export interface RoomScore {
  readonly room: string;
  /** How many places the rules find there. */
  readonly places: number;
  readonly judged: readonly Judged[];
}

export function scorePage(scores: readonly RoomScore[], seed: string): string {
  const rows = scores.map(({ room, places, judged }) => {
    const noticed = judged.filter(({ noticed }) => noticed).length;
    return `| ${room} | ${places} | ${judged.length} | ${noticed} | ${Math.round((100 * noticed) / Math.max(1, judged.length))} % |`;
  });
  const survivors = scores.flatMap(({ judged }) => judged.filter(({ noticed }) => !noticed));
  return `# Do the tests notice?

\`pnpm run test:mutants\` breaks one place at a time in the packages that carry the mathematics, by the rules of
StrykerJS, and runs that package's own tests. The places are drawn by a seed (here \`${seed}\`). A place that no test
notices is either a gap in the tests or changes nothing that can be seen: a search that starts elsewhere and ends at the
same number, a bound that is looser and still valid, a shortcut whose long way gives the same result.

| room | places | broken | noticed | score |
| ---- | ------ | ------ | ------- | ----- |
${rows.join('\n')}

Not noticed:

${survivors.map(({ mutation, was }) => `- \`${mutation.file.replace('packages/', '')}:${mutation.line}\` ${mutation.rule}: \`${was}\``).join('\n') || 'none.'}
`;
}
