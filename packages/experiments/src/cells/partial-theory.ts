/**
 * Where theory may be missing of some settings of a sweep, or in some of their trials, and be there in
 * others. A choice compares like with like: such settings are all chosen on trials of their own. That is told
 * by the config alone, before any trial, so that shards and machines agree.
 */
import type { CellContent } from './cells.ts';

type Setting = Readonly<Record<string, number | string>>;

/**
 * @param cell any of the sweep
 * @param settings what its lists give to each
 */
export function hasPartialTheory(
  { measure = 'frequencies', data, threats }: Pick<CellContent, 'measure' | 'data' | 'threats'>,
  settings: readonly Setting[],
): boolean {
  // Of a ratio theory is of first order, and there is none in trials whose frequencies deviate much.
  if (measure === 'means') return true;
  // Numbers outside the range leave those trials without theory to which somebody comes who holds one.
  if (data.holds === 'numbers' && data.file !== null && threats !== undefined) return true;
  // A corrected average is biased; messages that support categories dependently have no theory of ranges.
  return differIn('correction', settings) || (measure === 'ranges' && differIn('randomizer', settings));
}

function differIn(field: string, settings: readonly Setting[]): boolean {
  return settings.some((setting) => setting[field] !== settings[0]![field]);
}
