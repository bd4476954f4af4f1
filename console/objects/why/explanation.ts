import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { ShownEntity } from '../../field-tables.ts';

/** A rule that refuses: which, by which field, what it wants, and what it met. */
export interface RuleRefusal {
  readonly Rule: string;
  readonly Field: string;
  readonly Wanted: unknown;
  readonly Met: unknown;
}

/** What became of one demand object. */
export interface Candidate extends RuleRefusal {
  readonly Entity: string;
  readonly Id: number;
  readonly Name: string;
  readonly Outcome: 'won' | 'fallback' | 'asked' | 'refused';
  readonly Refusals: readonly RuleRefusal[];
  readonly Price: number | null;
}

/** What would become of a request. */
export interface Explanation extends Omit<RuleRefusal, 'Rule'> {
  readonly Outcome: string;
  readonly Refusals?: readonly RuleRefusal[];
  readonly Candidates: readonly Candidate[];
}

/** An auction that was held. */
export interface HeldAuction extends Explanation {
  readonly AuctionId: string;
  readonly TimeMs: number;
  readonly Country: string;
  readonly Domain: string;
  readonly AppBundle: string;
}

/** Asks what would become of a request; without one, of the last that was seen. */
export async function explain(
  entity: ShownEntity,
  id: number,
  request: string | undefined,
  isUrl: boolean,
): Promise<Explanation> {
  const asked = isUrl ? { Url: request } : { OpenRtb: JSON.parse(request ?? '{}') as unknown };
  const body = { [entity.key]: { Id: id }, ...(request === undefined ? {} : { Request: asked }) };
  return (await call<Explanation>('api/exchange/explain', { body })).data;
}

/** The last auctions of a supply object, the newest first. */
export const auctionsQuery = ({ key }: ShownEntity, id: number) =>
  queryOptions({
    queryKey: ['auctions', key, id],
    queryFn: async ({ signal }) =>
      (await call<readonly HeldAuction[]>('api/exchange/auctions', { query: { [key]: id }, signal })).data,
  });
