import type { Limited } from '../limits/promised.ts';
import type { Nanos } from '../money.ts';
import { isRefusal, type Refusal } from '../reasons.ts';
import { type Auction, promisedIn } from './auction.ts';

/** Reserves what an ad may cost the object. */
export function reserve(
  { opportunity, services, promises }: Auction,
  object: Limited,
  nanos: Nanos,
): Refusal | undefined {
  const promised = services.limits.reserve(object, promisedIn(opportunity), nanos);
  if (promised === undefined || isRefusal(promised)) return promised;
  promises.set(object, promised);
  return undefined;
}
