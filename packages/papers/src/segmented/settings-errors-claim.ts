/**
 * Section 6.3 of S. Wang et al., "Segmented Private Data Aggregation" (2025): who gains from more liberal
 * users.
 */
import type { Claim } from '../claims/claim.ts';
import { tableOf } from '../claims/table-values.ts';
import { errorIn, panelBeside, panelsOf, WEIGHTED } from './panels.ts';

const FIGURES = ['seg.fig4', 'seg.fig5', 'seg.fig6'];
const SEPARATE = 'SepMM';

/** What the section says of the error in S3 against that in S2. */
const STATED = [
  { protocol: 'Segmented', falls: true },
  { protocol: WEIGHTED, falls: true },
  { protocol: SEPARATE, falls: false },
] as const;

export const SETTINGS_ERRORS_CLAIM: Claim = {
  id: 'seg.settings.errors',
  paper: 'segmented',
  source: 'Section 6.3',
  figures: FIGURES,
  published:
    'With more liberal users, S3 in place of S2, the segmented protocol and Weighted SepMM have less error, and SepMM more.',
  criterion: 'so for both numbers of users of MSNBC and for the synthetic sets',
  async measure(context) {
    const panels = await panelsOf(context, FIGURES);
    const rows = panels
      .filter(({ setting }) => setting === 'S2')
      .flatMap((second) => {
        const third = panelBeside(panels, second, { setting: 'S3' });
        return STATED.map(({ protocol, falls }) => {
          const [before, after] = [errorIn(second, protocol), errorIn(third, protocol)];
          return { second, protocol, before, after, holds: after < before === falls };
        });
      });
    const against = rows.filter(({ holds }) => !holds);
    return {
      verdict: against.length === 0 ? 'reproduced' : 'differs',
      measured: `As stated in ${rows.length - against.length} of ${rows.length} comparisons${against.length > 0 ? `; not: ${against.map(({ second, protocol }) => `${protocol}, ${second.items} of ${second.domain}, n = ${second.users.toLocaleString('en')}`).join('; ')}` : ''}.`,
      note: 'In S3 the strictest cohort is half as large, and the weights, which follow a closed form of another accounting, do not discount its noise enough.',
      evidence: tableOf(rows, {
        'data and users': ({ second }) =>
          `${second.items} of ${second.domain}, n = ${second.users.toLocaleString('en')}`,
        protocol: 'protocol',
        'error in S2': ['before', 4],
        'error in S3': ['after', 4],
        'as stated': ({ holds }) => (holds ? 'yes' : 'no'),
      }),
    };
  },
};
