import type { DemandKindName, SupplyKind } from '../../../src/entities/kinds.ts';
import type { Bid, Solicitation } from '../../../src/exchange/demand/demand-kind.ts';
import type { DemandOf } from '../../../src/exchange/snapshot/demand.ts';
import type { Supply } from '../../../src/exchange/snapshot/supply.ts';
import { settingsOf } from '../settings-of.ts';
import { opportunityWith, unrestrictedDemand, unrestrictedSupply } from '../unrestricted.ts';

type Sent = Readonly<Record<string, unknown>>;

/** A video impression on a site. */
export const opportunity = opportunityWith({
  timeMs: Date.UTC(2027, 0, 1),
  inventory: { environment: 'web', domain: 'site.example', pageUrl: 'https://site.example/page' },
  sellerId: '1',
});

/** What a player without wishes says of itself. */
export const placement = {
  linearity: 0,
  placement: 0,
  minDuration: 0,
  maxDuration: 0,
  startDelay: undefined,
  mimes: [],
  series: '',
  season: '',
  context: '',
};

export const supplyOf = (kind: SupplyKind, settings: Sent = {}): Supply =>
  unrestrictedSupply(kind, { settings });

export const demandOf = <K extends DemandKindName>(kind: K, settings: Sent = {}): DemandOf<K> => ({
  ...unrestrictedDemand(kind, { id: 7, name: 'Object 7' }),
  kind,
  settings: settingsOf(kind, settings),
});

export function solicitationOf(given: Partial<Solicitation> = {}): Solicitation {
  return {
    opportunity,
    supply: supplyOf('VastTag'),
    region: 'us-east',
    baseUrl: 'https://us-east.example.com',
    timeLeftMs: 250,
    ...given,
  };
}

/** A bid that nothing speaks against. */
export function bidOf(given: Partial<Bid> = {}): Bid {
  return {
    id: 'bid-1',
    demand: demandOf('DspRtbEp'),
    priceCpmMicros: 2_000_000,
    media: 'video',
    markup: undefined,
    adDomains: [],
    appBundle: '',
    categories: [],
    attributes: [],
    creativeId: '',
    seat: '',
    width: 0,
    height: 0,
    expiryMinutes: 0,
    validSeconds: 0,
    notices: { win: '', billing: '', loss: '' },
    impId: '1',
    bidId: '',
    creativeUrls: [],
    ...given,
  };
}
