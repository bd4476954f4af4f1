import { gzipSync } from 'node:zlib';
import { withValueAt } from '../../../protocols/openrtb/field-path.ts';
import { extensionOf } from '../../../protocols/openrtb/object-of.ts';
import { type SentUser, user as userKind } from '../../../protocols/openrtb/objects/audience.ts';
import {
  type BidRequest,
  regs as regsKind,
  type SentRequest,
  source as sourceKind,
} from '../../../protocols/openrtb/objects/request.ts';
import { rateAt, usd } from '../../currency.ts';
import type { Opportunity, OriginalImpression, ViewerIds } from '../../opportunity.ts';
import { iabTaxonomy } from '../../reading/iab-name.ts';
import type { Demand } from '../../snapshot/demand.ts';
import type { Solicitation } from '../demand-kind.ts';
import { demandPart } from './demand-part.ts';
import { describe } from './describe.ts';
import { impOf } from './imp.ts';
import { inventoryOf } from './inventory.ts';
import { mergeUnique } from './merge-unique.ts';
import { chainForm, chainOf } from './schain.ts';
import { supplyPart } from './supply-part.ts';
import type { Variant } from './variant.ts';

type UserlessRequest = Omit<SentRequest, 'user'>;

interface Shared {
  readonly variant: Variant;
  readonly request: UserlessRequest;
  /** Its JSON without the end, to which each user is added. */
  json: string | undefined;
  /** With the user of whom nobody has an ID. UTF-8, so that it is not encoded again for each demand object. */
  plain: Uint8Array | undefined;
  zipped: Uint8Array | undefined;
}

/** The same for all demand of an auction. */
type Base = Omit<UserlessRequest, 'imp' | 'at' | 'source' | 'cur'> & { readonly cur: readonly string[] };

interface Auction {
  readonly original: OriginalImpression;
  readonly base: Base;
  readonly user: SentUser | undefined;
  readonly shared: Shared[];
}

const keptName = 'DspRtbEp';

type Categories = Pick<SentRequest, 'bcat' | 'cattax'>;

/** Must be of one taxonomy: if the request's differs from ours, only the request's are sent. */
function categoriesOf(own: readonly string[] | undefined, said: OriginalImpression['request']): Categories {
  const { bcat = [], acat = [], cattax = iabTaxonomy } = said;
  if (cattax === iabTaxonomy) return { bcat: mergeUnique(own, bcat), cattax: undefined };
  const hasLists = bcat.length + acat.length > 0;
  return hasLists ? { bcat: mergeUnique(undefined, bcat), cattax } : { bcat: own, cattax: undefined };
}

/** OpenRTB 2.5 has some members in `ext`. */
const userOf = (user: BidRequest['user']): SentUser | undefined =>
  user && { ...user, buyeruid: undefined, ext: extensionOf(userKind, user) };
const regsOf = (regs: BidRequest['regs']): SentRequest['regs'] =>
  regs && { ...regs, ext: extensionOf(regsKind, regs) };

const dollars: readonly string[] = [usd];

/** What the caller takes, as far as we have a rate, and USD. */
function currenciesOf(said: BidRequest['cur'], opportunity: Opportunity): readonly string[] {
  if (said === undefined || said.length === 0) return dollars;
  const known = said.map((code) => code.toUpperCase()).filter((code) => rateAt(opportunity, code));
  return [...new Set([...known, usd])];
}

function baseOf({ request: said }: OriginalImpression, solicitation: Solicitation): Base {
  const { opportunity, supply, timeLeftMs } = solicitation;
  const { bcat, badv, bapp } = supplyPart(supply);
  const { imp: _, source: __, at: ___, user: ____, ...request } = said;
  return {
    ...request,
    id: opportunity.auctionId,
    ...inventoryOf(said, solicitation),
    test: opportunity.isTest ? 1 : undefined,
    tmax: Math.max(1, Math.floor(timeLeftMs)),
    cur: currenciesOf(said.cur, opportunity),
    badv: mergeUnique(badv, said.badv),
    bapp: mergeUnique(bapp, said.bapp),
    regs: regsOf(said.regs),
    ...categoriesOf(bcat, said),
  };
}

function auctionOf(solicitation: Solicitation): Auction {
  solicitation.kept ??= new Map();
  const known = solicitation.kept.get(keptName);
  if (known !== undefined) return known as Auction;
  const original = solicitation.opportunity.original ?? describe(solicitation);
  const base = baseOf(original, solicitation);
  const auction: Auction = { original, base, user: userOf(original.request.user), shared: [] };
  solicitation.kept.set(keptName, auction);
  return auction;
}

function requestOf(
  { original, base }: Auction,
  variant: Variant,
  solicitation: Solicitation,
): UserlessRequest {
  const { opportunity, supply } = solicitation;
  const { source } = original.request;
  const { at, chain, currency } = variant;
  const schain = chainOf(chain, solicitation);
  const rate = currency === '' ? undefined : rateAt(opportunity, currency);
  const foreign = rate === undefined ? undefined : { currency, usdPerUnit: rate };
  return {
    ...base,
    imp: [impOf(original.imp, opportunity, supply, variant, foreign)],
    at,
    cur: currency === '' ? base.cur : [...new Set([currency, ...base.cur])],
    source: {
      ...source,
      tid: source?.tid ?? opportunity.auctionId,
      schain,
      ext: extensionOf(sourceKind, { schain }),
    },
  };
}

function variantOf(demand: Demand, { opportunity, supply }: Solicitation, deals: Variant['deals']): Variant {
  const { auctionType, expiryMinutes, currency } = demandPart(demand);
  return {
    at: auctionType ?? opportunity.auctionType ?? supply.auctionType,
    chain: chainForm(demand, supply),
    expirySeconds: expiryMinutes * 60,
    currency,
    deals,
  };
}

const isSame = (one: Variant, other: Variant) =>
  one.at === other.at &&
  one.chain === other.chain &&
  one.expirySeconds === other.expirySeconds &&
  one.currency === other.currency &&
  one.deals === other.deals;

function sharedOf(
  auction: Auction,
  demand: Demand,
  solicitation: Solicitation,
  deals: Variant['deals'],
): Shared {
  const variant = variantOf(demand, solicitation, deals);
  const { shared } = auction;
  for (const known of shared) if (isSame(known.variant, variant)) return known;
  const request = requestOf(auction, variant, solicitation);
  const made = { variant, request, json: undefined, plain: undefined, zipped: undefined };
  shared.push(made);
  return made;
}

const zip = (text: string | Uint8Array) => gzipSync(text, { level: 1 });

/** The request is written once for all users, and is never empty. */
function jsonOf(shared: Shared, user: SentUser | undefined): string {
  shared.json ??= JSON.stringify(shared.request).slice(0, -1);
  return user ? `${shared.json},"user":${JSON.stringify(user)}}` : `${shared.json}}`;
}

/** The caller's `id` goes first. */
const known = ({ id, buyeruid }: ViewerIds, user: SentUser | undefined): SentUser => ({
  ext: undefined,
  ...(id !== undefined && { id }),
  ...user,
  buyeruid,
});

/** JSON, compressed if `Gzip` is set; what tells of the viewer's IDs is for this demand alone. */
export function bodyOf(
  demand: Demand,
  solicitation: Solicitation,
  deals: Variant['deals'],
): string | Uint8Array {
  const auction = auctionOf(solicitation);
  const shared = sharedOf(auction, demand, solicitation, deals);
  const { custom, isZipped } = demandPart(demand);
  const ids = solicitation.opportunity.viewerIdsOf?.(demand);
  if (custom.length > 0 || ids) {
    const user = ids ? known(ids, auction.user) : auction.user;
    const text =
      custom.length > 0
        ? JSON.stringify(custom.reduce<unknown>(withValueAt, { ...shared.request, user }))
        : jsonOf(shared, user);
    return isZipped ? zip(text) : text;
  }
  shared.plain ??= Buffer.from(jsonOf(shared, auction.user));
  if (!isZipped) return shared.plain;
  shared.zipped ??= zip(shared.plain);
  return shared.zipped;
}
