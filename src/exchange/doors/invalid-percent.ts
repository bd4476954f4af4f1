import type { Inventory } from '../opportunity.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { DoorContext } from './door.ts';

/** The share of invalid traffic that an inventory has had of late, in percent; undefined where it is not known. */
export function invalidPercentOf(
  { kind, id }: Supply,
  { appBundle, domain }: Inventory,
  timeMs: number,
  { reports }: DoorContext,
): number | undefined {
  return reports.quality.invalidPercent({ kind, id, place: appBundle || domain }, timeMs);
}
