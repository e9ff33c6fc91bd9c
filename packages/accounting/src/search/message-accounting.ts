/**
 * One message among others by either accounting: its divergence for searches, and what the published pair
 * claims of it.
 */
import { interval, ParameterError, type AmplificationProfile, type PrivacyStatement } from '@shuffle-dp/core';
import { worstDelta } from './worst-atoms.ts';
import { variationRatioBound } from '../published/variation-ratio-bounds.ts';
import { variationRatioDivergence, variationRatioEpsilon } from '../variation-ratio/variation-ratio.ts';

/** 'blanket': certified; 'variation-ratio': Wang et al. 2024, Theorem 4.8, as published. */
export const MESSAGE_ACCOUNTINGS = ['blanket', 'variation-ratio'] as const;

export type MessageAccounting = (typeof MESSAGE_ACCOUNTINGS)[number];

/**
 * Of protocols with one message a user. 'sharpest': the least of all proved bounds; 'blanket': F2 alone,
 * which answers within milliseconds.
 */
export const SINGLE_MESSAGE_ACCOUNTINGS = ['sharpest', ...MESSAGE_ACCOUNTINGS] as const;

export type SingleMessageAccounting = (typeof SINGLE_MESSAGE_ACCOUNTINGS)[number];

/** A message as accountants see it, and its own budget in nats. */
export interface AccountedMessage {
  readonly epsilon0: number;
  readonly amplification: AmplificationProfile;
}

/**
 * Divergence at epsilon of one of `messages` messages: the certified upper end, or the published one. Without
 * lower ends, which a search does not need.
 * @param relativeGap as in `BlanketOptions` @throws ParameterError where there are no published parameters
 * and they are asked for
 */
export function messageDivergence(
  { epsilon0, amplification }: AccountedMessage,
  messages: number,
  epsilon: number,
  accounting: MessageAccounting,
  relativeGap?: number,
): number {
  if (epsilon >= epsilon0) return 0;
  if (accounting === 'variation-ratio') {
    return variationRatioDivergence(publishedParameters(amplification), messages, epsilon).upper;
  }
  return worstDelta(amplification.blanket, messages, epsilon, 'upper', relativeGap).value;
}

/**
 * The published pair's epsilon at `delta` for one of `messages` messages, with its verdict.
 * @throws ParameterError where there are no published parameters
 */
export function publishedClaim(
  { epsilon0, amplification }: AccountedMessage,
  messages: number,
  delta: number,
): Pick<PrivacyStatement, 'epsilon' | 'accountant' | 'status' | 'sound' | 'reason'> {
  const claimed = variationRatioEpsilon(publishedParameters(amplification), messages, delta);
  const { sound, reason } = variationRatioBound.verdict({ users: messages, epsilon0, amplification });
  return {
    epsilon: interval(0, Math.min(epsilon0, claimed.upper)),
    accountant: 'variation-ratio',
    status: sound === true ? 'certified' : 'as published',
    sound,
    ...(reason === undefined ? {} : { reason }),
  };
}

function publishedParameters({ variationRatio, printedVariationRatio }: AmplificationProfile) {
  if (variationRatio === null) {
    throw new ParameterError(
      'accounting',
      'variation-ratio',
      "'blanket': no parameters are published for this randomizer",
    );
  }
  return printedVariationRatio ?? variationRatio;
}
