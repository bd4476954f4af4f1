import type { OwnVersion } from '../../../protocols/vast/build-vast.ts';
import { currencyAt, foreignMicros } from '../../currency.ts';
import { mediumOf } from '../../medium-of.ts';
import { cpmMicrosOf } from '../../money.ts';
import type { Media } from '../../opportunity.ts';
import { type Refusal, refuse } from '../../reasons.ts';
import type { DemandOf } from '../../snapshot/demand.ts';
import { adVersionFor } from '../../vast-version.ts';
import { bidDefaults } from '../bid-defaults.ts';
import type { Bid, DemandKind, Solicitation } from '../demand-kind.ts';
import { campaignVast } from './campaign-vast.ts';

type Campaign = DemandOf<'Campaign'>;
type Creative = Campaign['settings'];

type Ad = Pick<Bid, 'media' | 'markup' | 'vast'>;

function missing(field: keyof Creative): Refusal {
  return refuse('invalid_creative', { field, wanted: 'a value', met: '' });
}

function video(id: number, creative: Creative, version: OwnVersion): Ad | Refusal {
  if (creative.MediaUrl === '') return missing('MediaUrl');
  const vast = campaignVast(id, creative, version);
  if ('fault' in vast) return refuse('invalid_creative', { wanted: 'VAST', met: vast.fault });
  return { media: 'video', markup: vast.text, vast };
}

function banner(_: number, { Html }: Creative): Ad | Refusal {
  return Html === '' ? missing('Html') : { media: 'banner', markup: Html };
}

function pop(_: number, { ClickUrl }: Creative): Ad | Refusal {
  return ClickUrl === '' ? missing('ClickUrl') : { media: 'pop', markup: ClickUrl };
}

const adOf = { video, banner, pop };
const isMade = (media: Media): media is keyof typeof adOf => Object.hasOwn(adOf, media);

function adDomainsOf({ AdDomain, ClickUrl }: Creative): string[] {
  if (AdDomain !== '') return [AdDomain.toLowerCase()];
  return URL.canParse(ClickUrl) ? [new URL(ClickUrl).hostname] : [];
}

function bidOf(demand: Campaign, creative: Creative, ad: Ad): Bid {
  const { IabCategory, Attributes, Width, Height, MediaUrl } = creative;
  return {
    ...bidDefaults,
    id: '',
    demand,
    priceCpmMicros: cpmMicrosOf(creative.Cpm),
    ...ad,
    adDomains: adDomainsOf(creative),
    categories: IabCategory === '' ? [] : [IabCategory],
    attributes: Attributes,
    creativeId: String(demand.id),
    width: Width,
    height: Height,
    creativeUrls: MediaUrl === '' ? [] : [MediaUrl],
  };
}

const made = new WeakMap<Campaign, Map<OwnVersion, Bid | Refusal>>();

/** The bid without the auction's ID, made once for each campaign and VAST version. */
function bidFor(demand: Campaign, media: keyof typeof adOf, version: OwnVersion): Bid | Refusal {
  const versions = made.get(demand) ?? new Map<OwnVersion, Bid | Refusal>();
  const known = versions.get(version);
  if (known !== undefined) return known;
  const ad = adOf[media](demand.id, demand.settings, version);
  const bid = 'reason' in ad ? ad : bidOf(demand, demand.settings, ad);
  made.set(demand, versions.set(version, bid));
  return bid;
}

function read(demand: Campaign, { opportunity, supply }: Solicitation): Bid | Refusal {
  const { media } = opportunity;
  const own = mediumOf({ entity: demand.kind, settings: demand.settings });
  if (own !== media || !isMade(media)) {
    return refuse('media_not_enabled', { field: 'Type', wanted: own, met: media });
  }
  const bid = bidFor(demand, media, adVersionFor(supply, opportunity));
  if ('reason' in bid) return bid;
  const { Currency, Cpm } = demand.settings;
  const foreign = currencyAt(Currency, 'Currency', opportunity);
  if (foreign === undefined) return { ...bid, id: opportunity.auctionId };
  if ('reason' in foreign) return foreign;
  const priceCpmMicros = foreignMicros(Cpm, foreign);
  return { ...bid, id: opportunity.auctionId, priceCpmMicros, foreign: { ...foreign, cpm: Cpm } };
}

/** An advertiser's own creative, with `Cpm` as the bid and no call. The endpoint, which can sign, adds trackers. */
export const campaign: DemandKind<'Campaign'> = {
  isOwn: true,
  isCalled: () => false,
  build: () => undefined,
  read,
};
