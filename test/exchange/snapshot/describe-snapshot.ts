import { demandKindNames, supplyKindNames } from '../../../src/entities/kinds.ts';
import type { Opportunity } from '../../../src/exchange/opportunity.ts';
import type { Deal } from '../../../src/exchange/snapshot/deal.ts';
import type { Demand } from '../../../src/exchange/snapshot/demand.ts';
import type { Snapshot } from '../../../src/exchange/snapshot/snapshot.ts';
import type { Supply } from '../../../src/exchange/snapshot/supply.ts';

const device = { family: '', major: '', minor: '' };

/** An opportunity of which nothing but this is known. */
function opportunityOf(country: string, domain: string): Opportunity {
  return {
    auctionId: 'a',
    timeMs: 0,
    media: 'video',
    userAgent: '',
    ip: undefined,
    country,
    region: '',
    inventory: {
      environment: 'web',
      domain,
      pageUrl: '',
      appBundle: '',
      appName: '',
      appStoreUrl: '',
      partnerDomain: '',
      categories: [],
      keywords: '',
    },
    device: {
      os: device,
      browser: device,
      types: [],
      make: '',
      model: '',
      language: '',
      ifa: '',
    },
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
    isSecure: true,
    supplyChain: undefined,
    sellerId: '1',
  };
}

const opportunities = [opportunityOf('US', 'a.example'), opportunityOf('DE', 'b.example')];

function demandView(demand: Demand) {
  const { kind, id, teamId, name, account, isActive, limits, match, settings } = demand;
  const refusals = opportunities.map((one) => demand.checks.map((check) => check(one)?.reason));
  return { kind, id, teamId, name, account, isActive, limits, match, settings, refusals };
}

function dealView(deal: Deal) {
  const { id, settings, checks } = deal;
  const buyers = demandKindNames.flatMap((kind) => [1, 2, 3].filter((one) => deal.isFor({ kind, id: one })));
  return {
    id,
    settings,
    buyers,
    refusals: opportunities.map((one) => checks.map((check) => check(one)?.reason)),
  };
}

function supplyView(supply: Supply) {
  const { kind, id, teamId, name, account, isActive, limits, match, settings } = supply;
  const { auth, floorCpmMicros, publisherProfitShare, auctionType, tmaxMs, checks, candidates } = supply;
  return {
    kind,
    id,
    teamId,
    name,
    account,
    isActive,
    limits,
    match,
    settings,
    auth,
    floorCpmMicros,
    publisherProfitShare,
    auctionType,
    tmaxMs,
    deals: supply.deals?.map(dealView),
    refusals: opportunities.map((one) => checks.map((check) => check(one)?.reason)),
    connected: candidates.connected.map(demandView),
    selected: opportunities.map((one) => candidates.select(one).map(({ kind: k, id: i }) => `${k}:${i}`)),
  };
}

/** Everything that can be seen of a snapshot, as far as IDs go; asks for all that is compiled only when asked for. */
export function describeSnapshot(snapshot: Snapshot, idMax: number) {
  const ids = Array.from({ length: idMax + 1 }, (_, id) => id);
  return {
    publishers: [...snapshot.publishers()],
    supply: supplyKindNames.flatMap((kind) =>
      ids.flatMap((id) => {
        const supply = snapshot.supply(kind, id);
        return supply ? [supplyView(supply)] : [];
      }),
    ),
    demand: demandKindNames.flatMap((kind) =>
      ids.flatMap((id) => {
        const demand = snapshot.demand(kind, id);
        return demand ? [demandView(demand)] : [];
      }),
    ),
  };
}
