import type { Inventory } from '../opportunity.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { DeliveryContext } from './delivery-endpoint.ts';

/** In the last hour; undefined if unknown. */
export function invalidPercentOf(
  { kind, id }: Supply,
  { appBundle, domain }: Inventory,
  timeMs: number,
  { reports }: DeliveryContext,
): number | undefined {
  return reports.quality.invalidPercent({ kind, id, place: appBundle || domain }, timeMs);
}
