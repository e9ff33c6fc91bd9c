/** Figures and report of a learning run. */
import { counted } from '../words/counted.ts';
import { namedColumns } from '../words/named-columns.ts';
import { shortEnd, shortEnds } from '../words/short-number.ts';
import type { CaptionedChart } from '../charts/chart.ts';
import { provenanceRows } from '../report/provenance-rows.ts';
import type { ReportFigure, ReportPage } from '../page/report-page.ts';
import { accuracyByRound, finalAccuracy } from './learning-tables.ts';
import type { FrameworkPrivacy } from './framework-privacy.ts';
import type { FrameworkResult, LearningRun } from './run-learning.ts';

/** Of so many each has a tick: between them there are none. */
const FEW_ROUNDS = 12;

export function accuracyChart(run: LearningRun): CaptionedChart {
  const { config } = run;
  const rounds = Array.from({ length: config.rounds }, (_, round) => round + 1);
  return {
    chart: {
      id: 'accuracy',
      title: `${config.name}: test accuracy`,
      subtitle: trialsText(run),
      x: { title: 'round', scale: 'linear', ...(config.rounds <= FEW_ROUNDS && { ticks: rounds }) },
      y: { title: 'accuracy (%)', scale: 'linear' },
      panels: [
        {
          title: `${config.users.toLocaleString('en')} users, ${config.usersPerRound.toLocaleString('en')} a round, budgets ${config.budgets}`,
          series: run.frameworks.map((framework) => ({
            name: framework.label,
            style: 'measured' as const,
            points: accuracyByRound(framework).map(({ mean, interval }, round) => ({
              x: round + 1,
              y: 100 * mean,
              ...(config.trials > 1 ? { low: 100 * interval.lower, high: 100 * interval.upper } : {}),
            })),
          })),
        },
      ],
    },
    caption: 'Share of the test images that are classified rightly after each round.',
  };
}

function trialsText({ config: { trials } }: LearningRun): string {
  return trials === 1
    ? 'one training of each framework'
    : `${trials} trainings of each framework, 95 % intervals`;
}

export function learningReportPage(run: LearningRun, figures: readonly ReportFigure[]): ReportPage {
  const { config, provenance } = run;
  const best = run.frameworks
    .filter(({ spec }) => spec.kind !== 'non-private')
    .reduce<LearningRun['frameworks'][number] | null>(
      (top, next) => (top === null || finalAccuracy(next).mean > finalAccuracy(top).mean ? next : top),
      null,
    );
  return {
    title: config.name,
    ...(config.question ? { question: config.question } : {}),
    headline: [
      best === null
        ? 'No private framework was run.'
        : `The most accurate private framework is ${best.label}, ${percent(finalAccuracy(best).mean)} % after ${counted(config.rounds, 'round')}; ${provedOf(best, config.privacy.userDelta)}.`,
    ],
    threatModel: [
      `Each user holds ${run.examplesPerUser} images and sends one gradient of ${run.dimensions.toLocaleString('en')} numbers in each round they serve. Neighbours differ in one user's images; budgets stay.`,
      'apes, s-apes, uni-shuffle and unbiased-clip-laplace shuffle each dimension on its own and the budgets on their own; vector-rr sends some of the bits of a gradient in one message for each binary level, and shuffles each level on its own; ldp-min and pldp do not shuffle, and protect each user by the local budget alone.',
    ],
    parties: [],
    figures,
    tables: [
      {
        title: 'Accuracy after the last round',
        caption: trialsText(run),
        ...namedColumns(run.frameworks, [
          ['framework', ({ label }) => label],
          ['accuracy (%)', (framework) => percent(finalAccuracy(framework).mean)],
          [
            '95 % interval',
            (framework) => {
              const { lower, upper } = finalAccuracy(framework).interval;
              return config.trials > 1 ? `${percent(lower)} to ${percent(upper)}` : '';
            },
          ],
          ['clip bound', ({ spec }) => (spec.kind === 'non-private' ? '' : String(spec.clipBound))],
          ['kept share', ({ spec }) => String(spec.keptShare ?? '')],
        ]),
      },
      {
        title: 'Privacy',
        caption: `Dimension: epsilon of one dimension in one round (for vector-rr: of the whole gradient) of ${config.usersPerRound} users at delta = ${config.privacy.delta}, for the worst user of the worst of all rounds and trainings (published: of the first round). User: epsilon of a user over all ${run.dimensions.toLocaleString('en')} dimensions and the rounds they serve, at delta = ${config.privacy.userDelta} (published: of one round, for vector-rr of all rounds).${userDeltaText(run)}`,
        ...namedColumns(run.frameworks, [
          ['framework', ({ label }) => label],
          ['local budgets', ({ privacy: { local } }) => (local ? shortEnds(local, 3, ' to ') : '')],
          [
            'dimension, certified',
            ({ privacy: { dimension } }) => (dimension ? shortEnds(dimension, 4, ' to ') : ''),
          ],
          ['user, certified', ({ privacy: { user } }) => (user === null ? '' : shortEnd(user, 'upper'))],
          [
            'dimension, published',
            ({ privacy: { published, publishedSound } }) =>
              published === null ? '' : short(published) + GENERAL_REMARKS[`${publishedSound ?? 'unproven'}`],
          ],
          ['user, published', ({ privacy }) => publishedUserText(privacy, config.privacy.userDelta)],
          ['remark', ({ privacy }) => privacy.note],
        ]),
      },
    ],
    provenance: provenanceRows(run.configFile, provenance),
    command: provenance.command,
  };
}

/** Said where Proposition 1 says nothing at the delta that is asked for. */
function userDeltaText({ config: { privacy }, frameworks }: LearningRun): string {
  const moved = frameworks.some(
    ({ privacy: { published, publishedUserDelta: at } }) => published !== null && at !== privacy.userDelta,
  );
  return moved
    ? ' Proposition 1 says nothing at a delta that is no larger than the sum of the deltas of the dimensions. In this case its epsilon is shown at the sum with one dimension more, and not shown where this sum is 1 or more.'
    : '';
}

function publishedUserText(
  { publishedUser, publishedUserDelta }: FrameworkPrivacy,
  userDelta: number,
): string {
  if (publishedUser === null) return '';
  const at =
    publishedUserDelta === userDelta ? '' : ` at delta = ${Number(publishedUserDelta!.toPrecision(6))}`;
  return `${short(publishedUser)}${at} (unproven)`;
}

/** Of the published theorem in general. */
const GENERAL_REMARKS = { true: '', unproven: ' (unproven)', false: ' (refuted in general)' } as const;

function provedOf({ spec, privacy }: FrameworkResult, delta: number): string {
  if (privacy.user === null) return `its privacy is not proved (${privacy.note})`;
  const whose =
    spec.kind === 'vector-rr' ? 'every user' : 'a user at the budget that is worst in one dimension';
  return `over all of them ${whose} has a certified epsilon of ${shortEnd(privacy.user, 'upper')} at delta ${delta}`;
}

function percent(share: number): string {
  return (100 * share).toFixed(2);
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
