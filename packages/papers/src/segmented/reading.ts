import type { PaperReading } from '../statements/paper-reading.ts';
import { SEGMENTED_STATEMENTS } from './statements.ts';

export const SEGMENTED_READING: PaperReading = {
  paper: 'segmented',
  claims:
    'Users choose among a few privacy levels without telling which. All of them send the same blanket messages; a user of a careful level sends each own item with a smaller probability. Everybody hides behind everybody’s blankets, so that the error halves against running one protocol for each level.',
  holds:
    'The idea carries: blankets are shared, the levels stay hidden, and in our runs the error is about half of the best competitor’s in the median over all panels, and far below that of the others. The best numbers of messages are where the paper has them. The levels that Theorem 3 promises to whole sets are certified nearly everywhere by a proof of our own.',
  fails:
    'As a statement about one item, Lemma 3 is too small by a large factor: it counts outcomes without a message as hiding the victim. The levels survive because the group rule of Theorem 3 gives away more than that. About 70 % less error is what existing approaches give in the median, not the best of them; with 50,000 MSNBC users one of them is as good or better.',
  today:
    'Use the protocol, with its rates set by the proved bound of whole sets ([sets.md](../sets.md)). Where m is an integer, use one slot more, with the smaller probability. With exactly m blankets the number of messages shows how many items a user sent. Other users’ coins hide this number in part; where the others send all of their items, it alone costs a factor of two.',
  statements: SEGMENTED_STATEMENTS,
};
