import type { DurFloors, Imp, SentImp, SentPmp, Video } from '../../../protocols/openrtb/objects/imp.ts';
import { type ForeignCurrency, sentFloor, usd } from '../../currency.ts';
import { dealTerms } from '../../deal-terms.ts';
import { mediaIn } from '../../media-variants.ts';
import { cpmUsdOf } from '../../money.ts';
import type { OfferedDeal } from '../../offered-deal.ts';
import type { Media, Opportunity } from '../../opportunity.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { mergeUnique } from './merge-unique.ts';
import { supplyPart } from './supply-part.ts';
import type { Variant } from './variant.ts';

/** Our requests have one impression: the opportunity. */
export const impId = '1';

/** `Type` of a deal. */
const guaranteed = 4;

/** Of an amount in the request's currency, with the supply object's margin, in the bidder's. */
type WithMargin = (cpm: number) => number;

function lengthFloorsOf(
  { durfloors, mincpmpersec }: Pick<Video, 'durfloors' | 'mincpmpersec'>,
  margin: WithMargin,
  least: number,
) {
  const floorOf = ({ bidfloor = 0, ...range }: DurFloors) => ({
    ...range,
    bidfloor: Math.max(margin(bidfloor), least),
  });
  return {
    durfloors: durfloors?.map(floorOf),
    mincpmpersec: mincpmpersec === undefined ? undefined : margin(mincpmpersec),
  };
}

/** Played everywhere. The standard requires a list, even if nobody gave one. */
const usualMimes = { video: 'video/mp4', audio: 'audio/mpeg' } as const;

/** The media that the bidder is asked for. Adds what the supply object blocks, and for a stream its floors and MIME types. */
function mediaPart(
  said: Partial<Imp>,
  opportunity: Opportunity,
  supply: Supply,
  foreign: ForeignCurrency | undefined,
) {
  const { foreignFloor, floorCpmMicros } = opportunity;
  const media = mediaIn(opportunity);
  const part = supplyPart(supply);
  const { banner, native } = said;
  const blocked = (told: { readonly battr?: readonly number[] }) => mergeUnique(part.battr, told.battr);
  const margin: WithMargin = (cpm) => sentFloor(cpm * part.floorFactor, foreignFloor, foreign);
  const bidfloor = margin(foreignFloor?.cpm ?? cpmUsdOf(floorCpmMicros));
  // Whatever its length, an ad is asked for what a floor rule says.
  const least = opportunity.ruleFloors ? bidfloor : 0;
  const stream = (medium: 'video' | 'audio') => {
    const told = said[medium];
    if (!media.includes(medium) || told === undefined) return undefined;
    const listed = told.mimes?.length ? told.mimes : part.mimes;
    const mimes = listed.length > 0 ? listed : [usualMimes[medium]];
    // Where all bids are under deals, the deals' floors are the only ones.
    const floors = lengthFloorsOf(said.pmp?.private_auction === 1 ? {} : told, margin, least);
    return { ...told, mimes, battr: blocked(told), ...floors };
  };
  return {
    banner: media.includes('banner') && banner ? { ...banner, battr: blocked(banner) } : undefined,
    video: stream('video'),
    audio: stream('audio'),
    native: media.includes('native') && native ? { ...native, battr: blocked(native) } : undefined,
    bidfloor,
  };
}

/** OpenRTB has no pops: by convention, a full-screen impression without a medium, its type in `ext`. */
function extensionOf(ext: Imp['ext'], media: Media): SentImp['ext'] {
  const { gpid, skadn } = ext ?? {};
  if (media !== 'pop' && gpid === undefined && skadn === undefined) return undefined;
  return { gpid, skadn, type: media === 'pop' ? 'popunder' : undefined, pop: undefined };
}

/** `at` of a deal whose price is its floor, whatever is bid (OpenRTB 2.6 section 3.2.12). */
const fixedPrice = 3;

function dealOf(
  { deal, floorCpmMicros, foreignFloor, seats, domains }: OfferedDeal,
  foreign: ForeignCurrency | undefined,
) {
  const { isFixed, auctionType } = dealTerms(deal);
  return {
    id: deal.settings.Code,
    bidfloor: sentFloor(foreignFloor?.cpm ?? cpmUsdOf(floorCpmMicros), foreignFloor, foreign),
    bidfloorcur: foreign?.currency ?? usd,
    at: isFixed ? fixedPrice : auctionType,
    wseat: seats && [...seats],
    wadomain: domains && [...domains],
    guar: deal.settings.Type === guaranteed ? (1 as const) : undefined,
  };
}

function pmpOf(
  deals: Variant['deals'],
  isPrivate: 0 | 1 | undefined,
  foreign: ForeignCurrency | undefined,
): SentPmp | undefined {
  return deals && { private_auction: isPrivate, deals: deals.map((deal) => dealOf(deal, foreign)) };
}

export function impOf(
  said: Partial<Imp>,
  opportunity: Opportunity,
  supply: Supply,
  { expirySeconds, deals }: Pick<Variant, 'expirySeconds' | 'deals'>,
  foreign: ForeignCurrency | undefined,
): SentImp {
  const { media } = opportunity;
  const { tagid, displaymanager } = supplyPart(supply);
  return {
    ...said,
    id: impId,
    ...mediaPart(said, opportunity, supply, foreign),
    pmp: pmpOf(deals, said.pmp?.private_auction, foreign),
    displaymanager: said.displaymanager ?? displaymanager,
    instl: media === 'pop' ? 1 : said.instl,
    tagid: said.tagid ?? tagid,
    bidfloorcur: foreign?.currency ?? usd,
    secure: opportunity.isSecure ? 1 : said.secure,
    exp: Math.min(said.exp ?? expirySeconds, expirySeconds),
    ext: extensionOf(said.ext, media),
  };
}
