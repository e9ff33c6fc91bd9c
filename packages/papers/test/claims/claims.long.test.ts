// @module-tag long
/** Claims that are measured within seconds, and need neither figures nor the time of day. */
import { expect, it } from 'vitest';
import { committed, measuredAgain } from './as-committed.ts';

it.each(['vr.soundness', 'comp.soundness', 'hps.trade-off'])(
  'the ledger: %s is measured as committed',
  async (id) => expect(committed(id)).toMatchObject(await measuredAgain(id)),
);
