import { useQuery } from '@tanstack/react-query';
import type { ApiRequest } from '../api/call.ts';
import { entities, measures, reports, type ShownEntity } from '../field-tables.ts';
import { usersQuery } from '../settings/people.ts';

export type PartnerKind = 'Publisher' | 'Advertiser';

/** The account that the one who is logged in speaks for; undefined until that is known. */
export function usePartner(): { readonly kind: PartnerKind; readonly id: number } | undefined {
  // Who is no administrator is told of no other user.
  const [self] = useQuery(usersQuery).data ?? [];
  if (!self) return undefined;
  return self.PublisherId > 0
    ? { kind: 'Publisher', id: self.PublisherId }
    : { kind: 'Advertiser', id: self.AdvertiserId };
}

/** What partners of a kind see: the entities of what they own, figures and dimensions. */
export function seenBy(kind: PartnerKind) {
  const names = (rows: Readonly<Record<string, { readonly seenBy?: readonly string[] }>>) =>
    Object.keys(rows).filter((name) => rows[name]?.seenBy?.includes(kind));
  return {
    owned: entities.filter(({ owner }) => owner?.entity === kind),
    figures: names(measures),
    dimensions: names(reports.dimensions),
  };
}

/** The figures that matter most to each, money first, and what they call it. */
export const firstFigures: Readonly<Record<PartnerKind, readonly string[]>> = {
  Publisher: ['Cost', 'Requests', 'Impressions', 'FillRate', 'Clicks', 'Ctr'],
  Advertiser: ['Revenue', 'Impressions', 'Clicks', 'Ctr', 'Bids', 'Wins', 'WinRate'],
};

/** Asks for a partner's own objects of an entity. */
export const ownRequest = ({ path }: ShownEntity) =>
  ({ path: `api/portal/${path}/get` }) satisfies ApiRequest;
