import type { Inventory } from '../opportunity.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { DeliveryContext } from './delivery-endpoint.ts';

/** The percentage of invalid traffic that an inventory has had in the last hour; undefined if it is not known. */
export function invalidPercentOf(
  { kind, id }: Supply,
  { appBundle, domain }: Inventory,
  timeMs: number,
  { reports }: DeliveryContext,
): number | undefined {
  return reports.quality.invalidPercent({ kind, id, place: appBundle || domain }, timeMs);
}
