import type { DemandKindName, ListKind, SupplyKind } from '../configuration.ts';

/** Entities whose objects own supply, and those whose objects own demand. */
export type AccountKind = 'Publisher' | 'Advertiser';

/** Fields that limit what is earned or spent in a day. */
export type AmountField = 'SpentDailyLimit' | 'SpendDailyLimit' | 'RevenueDailyLimit';

/** What differs by kind: how connection fields that name it are called, and its field for the daily limit of money. */
interface Kind {
  readonly connection: string;
  readonly amountDaily: AmountField;
}

/** Each kind of supply. */
export const supplyKinds: Readonly<Record<SupplyKind, Kind>> = {
  VastTag: { connection: 'VastTags', amountDaily: 'SpentDailyLimit' },
  RtbEp: { connection: 'RtbEps', amountDaily: 'SpentDailyLimit' },
  PopFeed: { connection: 'PopFeeds', amountDaily: 'SpentDailyLimit' },
  BannerEp: { connection: 'BannerEps', amountDaily: 'SpentDailyLimit' },
};

/** Whether the entity of that key is a kind of supply. */
export const isSupply = (key: string): key is SupplyKind => Object.hasOwn(supplyKinds, key);

/** Each kind of demand, in the order in which auctions look at them. */
export const demandKinds: Readonly<Record<DemandKindName, Kind>> = {
  Campaign: { connection: 'Campaigns', amountDaily: 'SpendDailyLimit' },
  DspRtbEp: { connection: 'DspRtbEps', amountDaily: 'RevenueDailyLimit' },
  DspVastTag: { connection: 'DspVastTags', amountDaily: 'RevenueDailyLimit' },
  DspPopFeed: { connection: 'DspPopFeeds', amountDaily: 'RevenueDailyLimit' },
};

/** Names of the kinds of accounts. */
export const accountKindNames: readonly AccountKind[] = ['Publisher', 'Advertiser'];
/** Names of the kinds of supply. */
export const supplyKindNames = Object.keys(supplyKinds) as readonly SupplyKind[];
/** Names of the kinds of demand. */
export const demandKindNames = Object.keys(demandKinds) as readonly DemandKindName[];
/** Names of the kinds of lists. */
export const listKindNames: readonly ListKind[] = ['DomainList', 'AppList', 'IpList', 'KeywordList'];
