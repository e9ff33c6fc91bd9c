/** The flags of users who collude or stay away, shared by the accountants. */
import type { Command } from 'commander';
import type { Threats } from '@shuffle-dp/accounting';
import { numberOption } from './options.ts';

export type ThreatOptions = Pick<Threats, 'colluding' | 'dropout'>;

export const THREAT_FLAGS = ['colluding', 'dropout'];

export function addThreatOptions(command: Command): Command {
  return command
    .option(
      '--colluding <fraction>',
      'share of the users who give their messages to the adversary; privacy is that of the honest users',
      numberOption,
    )
    .option(
      '--dropout <probability>',
      'probability that each other user stays away, whatever they hold; privacy is that of a user who took part',
      numberOption,
    );
}

/** Undefined where neither flag is given, or both are 0. */
export function threatsOf({ colluding = 0, dropout = 0 }: ThreatOptions): Threats | undefined {
  return colluding === 0 && dropout === 0 ? undefined : { colluding, dropout };
}

/** One line for an account: '10 % of the users collude, each other user stays away with probability 0.3'. */
export function threatsText({ colluding = 0, dropout = 0 }: Threats): string {
  const said = [
    ...(colluding > 0 ? [`${percent(colluding)} of the users collude`] : []),
    ...(dropout > 0 ? [`each other user stays away with probability ${dropout}`] : []),
  ];
  return `${said.join(', ')}: the privacy of an honest user who took part`;
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(6))} %`;
}
