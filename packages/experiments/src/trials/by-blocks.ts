/**
 * Which cells meet their users block by block on the message path: those of more users than one block has.
 */
import { sendsByBlocks } from '@shuffle-dp/protocols';
import type { Cell } from '../kinds/cell.ts';

/** Users of a block. Other numbers of them are other random streams. */
export const BLOCK_USERS = 2 ** 22;

/** Of a cell alone, whatever is run beside it. */
export function goesByBlocks({ data, spec, threats }: Cell): boolean {
  return (
    data.simulation === 'messages' &&
    data.users > BLOCK_USERS &&
    data.file === null &&
    threats === undefined &&
    sendsByBlocks(spec.kind)
  );
}
