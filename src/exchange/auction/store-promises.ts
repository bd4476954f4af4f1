import { isSupply } from '../../entities/kinds.ts';
import type { EventSink } from '../../statistics/events.ts';
import type { Promised, PromisedIn } from '../limits/promised.ts';
import { countedAddress } from '../reading/ip-address.ts';

interface Stored extends Pick<PromisedIn, 'timeMs' | 'ip'> {
  readonly supply: { readonly kind: string; readonly id: number };
  readonly subId: string;
}

/** Adds promises to those stored with the statistics, from which limits resume after a restart; or removes them. */
export function storePromises(
  events: EventSink,
  { supply, subId, timeMs, ip }: Stored,
  promises: Iterable<Promised>,
  sign: 1 | -1,
): void {
  const atAddress: Promised[] = [];
  for (const promised of promises) {
    const { kind, id, nanos, holder } = promised;
    if (promised.isAtAddress) atAddress.push(promised);
    if (promised.viewer)
      events.countPromised({ address: promised.viewer, timeMs, objects: [{ kind, id }] }, sign);
    // The authority knows what it has granted.
    if (holder) continue;
    const pair = { supply, demand: isSupply(kind) ? undefined : { kind, id }, subId };
    events.count(pair, 'promised', timeMs, sign);
    if (nanos > 0) events.count(pair, 'promisedNanos', timeMs, sign * nanos);
  }
  if (ip && atAddress.length > 0)
    events.countPromised({ address: countedAddress(ip), timeMs, objects: atAddress }, sign);
}
