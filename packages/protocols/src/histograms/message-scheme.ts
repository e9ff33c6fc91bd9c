/**
 * What multi-message histograms have in common: every user sends one message that depends on the own
 * category, and all users together a fixed number of blanket messages that depend on nothing. They differ in
 * how a message is made, and in how likely it supports a category.
 */
import type {
  AmplificationProfile,
  FrequencyOracle,
  MessageColumns,
  RandomStream,
  ShuffledMessages,
  UserMessages,
} from '@shuffle-dp/core';
import type { MessageCells } from './all-messages-privacy.ts';

export interface SupportProbabilities {
  /** That a data message supports its user's category. */
  readonly own: number;
  /** That it supports any other given category. */
  readonly other: number;
  /** That a blanket message supports each category. */
  readonly blanket: Float64Array;
}

export interface MessageScheme<Columns extends MessageColumns> {
  readonly bitsPerMessage: number;
  readonly support: SupportProbabilities;
  /** Its slots are the blanket messages, beside which stands the victim's data message. */
  readonly amplification: AmplificationProfile;
  /** Budget in nats of a data message alone; infinite where it shows the category. */
  readonly epsilon0: number;
  /**
   * On some data set the data messages of all other users hide the victim's no better than so many blankets
   * would, and the atoms bound the privacy from below as well; null where no such data set is known.
   */
  othersAsSlots(users: number): number | null;
  /**
   * The messages as they tell two categories apart, where the data messages of other users hide the victim's
   * notably.
   */
  readonly cells?: MessageCells;
  /** The data messages of all users, in their order, and the blanket messages after them. */
  send(values: Uint32Array, blankets: number, stream: RandomStream): UserMessages<Columns>;
  /** For every category the number of messages that support it. */
  supportCounts(messages: ShuffledMessages<Columns>): Float64Array;
  /** The same counts without messages, each from its exact law. */
  sampleSupportCounts(histogram: Float64Array, blankets: number, stream: RandomStream): Float64Array;
  /** Whether they have their exact joint law too. */
  readonly jointSupportCounts: boolean;
  /** As in `FrequencyOracle`, blanket messages included. */
  readonly supports?: FrequencyOracle['supports'];
}
