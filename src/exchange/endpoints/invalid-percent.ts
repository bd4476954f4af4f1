import type { Inventory } from '../opportunity.ts';
import type { Supply } from '../snapshot/supply.ts';
import type { DeliveryContext } from './delivery-endpoint.ts';

/** In the last hour, as estimated. */
export function invalidPercentOf(
  { kind, id, account }: Supply,
  { appBundle, domain }: Inventory,
  timeMs: number,
  { reports }: DeliveryContext,
): number {
  return reports.quality.invalidPercent(
    { kind, id, publisherId: account.id, place: appBundle || domain },
    timeMs,
  );
}
