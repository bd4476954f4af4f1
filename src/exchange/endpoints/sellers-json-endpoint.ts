import { buildSellersJson, type Seller } from '../../protocols/sellersjson/build-sellers-json.ts';
import { sellerOf } from '../../reference/seller-of.ts';
import { memoizeWeak } from '../memoize-weak.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { corsHeaders, refuseMethod } from './cors-headers.ts';
import type { DeliveryEndpoint } from './delivery-endpoint.ts';

/** Active publishers; of those that share a seller ID only the first. */
function sellersOf(snapshot: Snapshot): Seller[] {
  const sellers = new Map<string, Seller>();
  for (const account of snapshot.publishers()) {
    if (account.isActive && !sellers.has(account.sellerId)) {
      sellers.set(account.sellerId, sellerOf(account));
    }
  }
  return [...sellers.values()];
}

const fileOf = memoizeWeak((snapshot: Snapshot) => Buffer.from(buildSellersJson(sellersOf(snapshot))));

/** IAB Tech Lab, sellers.json 1.0. */
export const sellersJsonEndpoint: DeliveryEndpoint = {
  path: '/sellers.json',
  serve(request, response, context) {
    if (refuseMethod(request, response)) return;
    const file = fileOf(context.snapshot());
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': file.length,
      'cache-control': 'public, max-age=300',
    };
    response.writeHead(200, corsHeaders(request, headers));
    response.end(request.method === 'HEAD' ? undefined : file);
  },
};
