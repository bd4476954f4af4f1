import { queryOptions } from '@tanstack/react-query';
import type { HeldAuction } from '../../src/answers/explanation.ts';
import { type ApiRequest, pollHeaders, sendRequest } from '../api/call.ts';
import { namedObject } from '../funnel/funnel-search.ts';
import type { AuctionsSearch } from './auctions-search.ts';

const auctionsMax = 500;

/** Asks for the last auctions that an address is about. */
export function auctionsRequest({ supply, demand, reason }: AuctionsSearch) {
  const objects = [supply, demand].flatMap((name) => (name === undefined ? [] : [namedObject(name)]));
  const named = Object.fromEntries(objects.map(({ entity, id }) => [entity, id]));
  return {
    path: 'api/exchange/auctions',
    query: { ...named, Reason: reason, Limit: auctionsMax },
  } satisfies ApiRequest;
}

/** Whether it was the request, or demand, that the reason refused, where that is asked. */
function isMeant({ Outcome, Candidates }: HeldAuction, { reason, refused }: AuctionsSearch): boolean {
  if (reason === undefined || refused === undefined) return true;
  return refused === 'request' ? Outcome === reason : Candidates.some(({ Rule }) => Rule === reason);
}

/** The last auctions that an address is about, the newest first. */
export const auctionsQuery = (search: AuctionsSearch) => {
  const { auction: _, ...asked } = search;
  return queryOptions({
    queryKey: ['auctions', asked],
    async queryFn({ signal }) {
      const { data } = await sendRequest(auctionsRequest(asked), { signal, headers: pollHeaders });
      return data.filter((one) => isMeant(one, asked));
    },
    refetchInterval: 5000,
  });
};
