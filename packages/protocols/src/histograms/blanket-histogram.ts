/**
 * A multi-message histogram end to end, whatever its messages: shuffle, unbiased estimate, exact error,
 * privacy and cost.
 */
import { type CategoricalData, type MessageColumns, onDemand } from '@shuffle-dp/core';
import { expectedRangeError } from '../frequencies/range-error.ts';
import type { MessageAccounting } from '@shuffle-dp/accounting';
import {
  HISTOGRAM_FIELDS,
  type FrequencyProtocolCard,
  type ProtocolField,
  type SetByTarget,
} from '../protocol-card.ts';
import { requireBlanketRate } from '../most-blankets.ts';
import {
  categoriesOf,
  centralTarget,
  checkCategoricalSetting,
  checkData,
  type CategoricalSetting,
} from '../setting.ts';
import { jointPaths, type FrequencyProtocol } from '../shuffle-protocol.ts';
import { shuffleWithTrace } from '../traced-shuffle.ts';
import { certifiedHiddenPrivacy, hiddenPrivacy, leastBlankets } from './blanket-privacy.ts';
import { blanketsLeft, privacyOfThoseLeft } from './threatened-blankets.ts';
import type { MessageScheme } from './message-scheme.ts';

export interface HistogramSpecFields {
  /** Default 'blanket': the exact atoms. 'variation-ratio': with the parameters of Table 4. */
  readonly accounting?: MessageAccounting;
  /**
   * Blanket messages of a user, on average: all users together send the next whole number. Absent: the fewest
   * that meet the setting's central target.
   */
  readonly blanketRate?: number;
}

/** @typeParam Own names of the numbers that the scheme of the messages has */
export type HistogramParameters<Own extends string = never> = {
  /** Blanket messages of all users together. */
  readonly blankets: number;
  /** The same of a user, on average. */
  readonly blanketRate: number;
  readonly accounting: MessageAccounting;
} & { readonly [Name in Own]: number };

interface Histogram<Own extends string> {
  readonly scheme: MessageScheme<MessageColumns>;
  /** Blanket messages of all users together. */
  readonly blankets: number;
  readonly accounting: MessageAccounting;
  /** Those of the scheme, for reports. */
  readonly parameters: { readonly [Name in Own]: number };
}

/** What one histogram has of its own. */
interface OwnHistogram<Spec extends { readonly kind: string }, Own extends string> {
  readonly kind: Spec['kind'];
  readonly title: string;
  readonly description: string;
  /** Default 'blankets'. */
  readonly setByTarget?: SetByTarget;
  /** What a config may say beside the blankets and their accounting. */
  readonly fields?: readonly ProtocolField[];
  /**
   * The messages in a setting that is checked already, and their numbers for reports. Without `blankets` the
   * spec has how many, or else the fewest meet the setting's target.
   */
  messages(
    spec: Spec,
    setting: CategoricalSetting,
  ): Pick<Histogram<Own>, 'scheme' | 'parameters'> & { readonly blankets?: number };
}

/**
 * The card of a histogram of data messages among blankets: its protocol throws where neither spec nor setting
 * says how many.
 */
export function histogramCard<
  Spec extends HistogramSpecFields & { readonly kind: string },
  Own extends string = never,
>(own: OwnHistogram<Spec, Own>): FrequencyProtocolCard<Spec, HistogramParameters<Own>> {
  const { kind, title, description, setByTarget = 'blankets', fields = [] } = own;
  return {
    kind,
    title,
    dataKind: 'categories',
    task: 'frequencies',
    setByTarget,
    fields: [...HISTOGRAM_FIELDS, ...fields],
    create(spec, setting) {
      checkCategoricalSetting(setting);
      const { accounting = 'blanket' } = spec;
      const messages = own.messages(spec, setting);
      const { scheme, parameters, blankets = chooseBlankets(spec, scheme, setting) } = messages;
      const said = { kind, name: title, description };
      return blanketHistogram(said, { scheme, blankets, accounting, parameters }, setting);
    },
  };
}

/** The protocol of a histogram in a setting that is checked already. */
function blanketHistogram<Own extends string>(
  said: Pick<FrequencyProtocol, 'kind' | 'name' | 'description'>,
  { scheme, blankets, accounting, parameters }: Histogram<Own>,
  setting: CategoricalSetting,
): FrequencyProtocol<HistogramParameters<Own>> {
  const { users, delta } = setting;
  const { own, other, blanket } = scheme.support;
  const gap = own - other;
  const estimate = (counts: Float64Array): Float64Array =>
    counts.map((count, v) => (count - users * other - blankets * blanket[v]!) / (users * gap));
  const messages = { hidden: scheme, users, blankets, othersAsSlots: scheme.othersAsSlots(users) };
  return Object.freeze({
    ...said,
    parameters: Object.freeze({ ...parameters, blankets, blanketRate: blankets / users, accounting }),
    paths: ['messages', 'aggregated'] as const,
    jointPaths: jointPaths(scheme),
    theoreticalBound: null,
    run: (data, stream, path, trace) => {
      checkData(data, setting);
      if (path === 'aggregated') {
        return estimate(scheme.sampleSupportCounts(data.histogram, blankets, stream));
      }
      const sent = scheme.send(categoriesOf(data, path), blankets, stream.fork('messages'));
      const shuffled = shuffleWithTrace('data messages', sent, stream, trace);
      return estimate(scheme.supportCounts(shuffled));
    },
    privacy: onDemand(() => [hiddenPrivacy(messages, delta, accounting)]),
    certifiedPrivacy: onDemand(() => [certifiedHiddenPrivacy(messages, delta)]),
    threatenedPrivacy: (threats) => [
      privacyOfThoseLeft(users, delta, threats, (left, leftDelta) =>
        certifiedHiddenPrivacy(
          {
            hidden: scheme,
            users: left,
            blankets: blanketsLeft(blankets, users, left),
            othersAsSlots: scheme.othersAsSlots(left),
          },
          leftDelta,
        ),
      ),
    ],
    // Support counts are sums of independent coins: of the holders, of the other users, and of the blankets.
    expectedError: (data: CategoricalData) => {
      checkData(data, setting);
      let variance = 0;
      data.histogram.forEach((holders, v) => {
        variance += holders * own * (1 - own) + (users - holders) * other * (1 - other);
        variance += blankets * blanket[v]! * (1 - blanket[v]!);
      });
      return variance / (users * gap * users * gap);
    },
    expectedRangeError: (data: CategoricalData) => {
      checkData(data, setting);
      const { supports } = scheme;
      if (supports === undefined) return null;
      const law = { supports, own, other, blankets: { messages: blankets, support: blanket } };
      return expectedRangeError(law, data.histogram, users);
    },
    cost: () => {
      const messagesPerUser = 1 + blankets / users;
      return { messagesPerUser, bitsPerUser: messagesPerUser * scheme.bitsPerMessage };
    },
  } satisfies FrequencyProtocol<HistogramParameters<Own>>);
}

/**
 * The blankets that a spec fixes, or else the fewest that meet the setting's target. @throws ParameterError
 */
function chooseBlankets(
  { blanketRate, accounting = 'blanket' }: HistogramSpecFields,
  scheme: MessageScheme<MessageColumns>,
  setting: CategoricalSetting,
): number {
  if (blanketRate !== undefined) return fixedBlankets(blanketRate, setting.users);
  return leastBlankets(
    scheme,
    setting.users,
    centralTarget(setting, 'blanketRate'),
    setting.delta,
    accounting,
  );
}

/** @throws ParameterError */
export function fixedBlankets(blanketRate: number, users: number): number {
  // Products such as 0.07 * 100 land just above their integer.
  return Math.ceil(requireBlanketRate(blanketRate, users) * users * (1 - 1e-12));
}
