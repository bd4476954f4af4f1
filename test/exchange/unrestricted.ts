import type { DemandKindName, SupplyKind } from '../../src/entities/kinds.ts';
import { defaultTeamSettings } from '../../src/entities/team-settings.ts';
import type { Opportunity } from '../../src/exchange/opportunity.ts';
import type { Demand } from '../../src/exchange/snapshot/demand.ts';
import type { Account, ExchangeObject, ObjectLimits } from '../../src/exchange/snapshot/exchange-object.ts';
import type { Supply } from '../../src/exchange/snapshot/supply.ts';
import { teamOf } from '../../src/exchange/team.ts';
import { settingsOf } from './settings-of.ts';

const nothing = () => undefined;

const unknown = { family: '', major: '', minor: '' };

/** An opportunity of which nothing is known but that it is a video. */
const unknownOpportunity: Opportunity = {
  auctionId: 'auction-1',
  timeMs: Date.UTC(2027, 5, 15, 12),
  media: 'video',
  inventory: {
    environment: '',
    domain: '',
    pageUrl: '',
    appBundle: '',
    appName: '',
    appStoreUrl: '',
    partnerDomain: '',
    categories: [],
    keywords: '',
  },
  device: {
    os: unknown,
    browser: unknown,
    types: [],
    make: '',
    model: '',
    language: '',
    ifa: '',
  },
  userAgent: '',
  ip: undefined,
  country: '',
  region: '',
  latitude: undefined,
  longitude: undefined,
  width: 0,
  height: 0,
  video: undefined,
  subId: '',
  userId: '',
  query: '',
  floorCpmMicros: 0,
  tmaxMs: 300,
  isSecure: false,
  supplyChain: undefined,
  sellerId: '',
};

/** Members of an opportunity; of its parts some may be given alone. */
type OpportunityMembers = Partial<Omit<Opportunity, 'inventory' | 'device'>> & {
  readonly inventory?: Partial<Opportunity['inventory']>;
  readonly device?: Partial<Opportunity['device']>;
};

/** A video opportunity of which nothing is known but what is given. */
export function opportunityWith({ inventory, device, ...members }: OpportunityMembers = {}): Opportunity {
  return {
    ...unknownOpportunity,
    inventory: { ...unknownOpportunity.inventory, ...inventory },
    device: { ...unknownOpportunity.device, ...device },
    ...members,
  };
}

export const unlimited: ObjectLimits = {
  maxQps: 0,
  requestsDaily: 0,
  bidsDaily: 0,
  impressionsDaily: 0,
  impressionsPerIp: 0,
  frequencyCap: 0,
  frequencyHours: 0,
  frequencyMinMinutes: 0,
  frequencyKey: 0,
  frequencyUnknown: 0,
  amountDailyNanos: 0,
  amountTotalNanos: 0,
  impressionsTotal: 0,
  pacing: 0,
  flights: 0,
  flightImpressions: 0,
  flightNanos: 0,
  zoned: 0,
};

/** An active account that says no more of itself than it must. */
export const account: Account = {
  id: 1,
  teamId: 1,
  isActive: true,
  name: 'Account',
  sellerId: '1',
  platformDomain: '',
  sellersJsonDomain: '',
  sellerType: 0,
  gvlId: 0,
};

/** That has set nothing. */
export const unsetTeam = teamOf(defaultTeamSettings);

const object: Omit<ExchangeObject, 'settings'> = {
  id: 1,
  teamId: 1,
  name: 'Object',
  account,
  isActive: true,
  limits: unlimited,
  match: { nonEmptyReferer: false, refererMatch: false, ipMatch: false, uaMatch: false },
};

/** Members of an object; of its settings only those that were sent. */
type MembersOf<O> = Partial<Omit<O, 'settings'>> & { readonly settings?: Readonly<Record<string, unknown>> };

/** An active demand object that restricts and limits nothing. */
export function unrestrictedDemand(
  kind: DemandKindName,
  { settings, ...members }: MembersOf<Demand> = {},
): Demand {
  return {
    ...object,
    kind,
    settings: settingsOf(kind, settings),
    gvlId: 0,
    partner: '',
    checks: [],
    ...members,
  };
}

/** An active supply object that restricts and limits nothing, connected to no demand. */
export function unrestrictedSupply(
  kind: SupplyKind,
  { settings, ...members }: MembersOf<Supply> = {},
): Supply {
  return {
    ...object,
    settings: settingsOf(kind, settings),
    kind,
    auth: 'secret',
    floorCpmMicros: 0,
    publisherProfitShare: 50,
    auctionType: 1,
    tmaxMs: 300,
    deals: undefined,
    inactiveDeals: undefined,
    checks: [],
    candidates: {
      connected: [],
      select: () => [],
      explain: () => undefined,
      refusals: () => [],
      refusedCounts: () => ({
        add: nothing,
        addRefused: nothing,
        change: nothing,
        size: () => 0,
        tell: nothing,
      }),
    },
    ...members,
  };
}
