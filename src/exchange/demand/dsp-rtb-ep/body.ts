import { gzipSync } from 'node:zlib';
import type { BidRequest } from '../../../protocols/openrtb/bid-request.ts';
import { withValueAt } from '../../../protocols/openrtb/field-path.ts';
import type { Opportunity } from '../../opportunity.ts';
import { iabTaxonomy } from '../../reading/iab-name.ts';
import type { Demand } from '../../snapshot/demand.ts';
import type { Solicitation } from '../demand-kind.ts';
import { demandPart } from './demand-part.ts';
import { deviceOf } from './device.ts';
import { joined, withPassed } from './if-known.ts';
import { impOf } from './imp.ts';
import { inventoryOf } from './inventory.ts';
import { regsOf, userOf } from './privacy.ts';
import { type ChainForm, chainForm, chainOf } from './schain.ts';
import { supplyPart } from './supply-part.ts';

/**
 * All that a demand object without `CustomParams` can change in a request. Objects with the same variant share a text.
 */
interface Variant {
  readonly at: 1 | 2;
  readonly chain: ChainForm;
  readonly expirySeconds: number;
}

/** The request of a variant, and its texts as they are sent, each made when it is first needed. */
interface Shared {
  readonly variant: Variant;
  readonly request: BidRequest;
  /** In UTF-8, so that it is not encoded again for each demand object. */
  plain: Uint8Array | undefined;
  zipped: Uint8Array | undefined;
}

/** The members that are the same for all demand of an auction. */
type Base = Omit<BidRequest, 'imp' | 'at' | 'source'>;

interface Auction {
  readonly base: Base;
  readonly shared: Shared[];
}

const keptName = 'DspRtbEp';

/** The members for blocked categories. */
type Categories = Pick<BidRequest, 'bcat' | 'cattax'>;

/**
 * Blocked categories. They must be of one taxonomy: if the request has lists of another than ours, its alone are sent.
 */
function categoriesOf(own: readonly string[] | undefined, { blocks }: Opportunity): Categories {
  if (blocks === undefined || blocks.cattax === iabTaxonomy)
    return { bcat: joined(own, blocks?.categories), cattax: undefined };
  const { categories, allowedCategories, cattax } = blocks;
  const hasLists = categories.size + allowedCategories.size > 0;
  return hasLists ? { bcat: joined(undefined, categories), cattax } : { bcat: own, cattax: undefined };
}

function baseOf(solicitation: Solicitation): Base {
  const { opportunity, supply, timeLeftMs } = solicitation;
  const { bcat, badv, bapp } = supplyPart(supply);
  const { blocks } = opportunity;
  const { site, app } = inventoryOf(solicitation);
  const base: Omit<Base, keyof Categories> = {
    id: opportunity.auctionId,
    site,
    app,
    device: withPassed(deviceOf(opportunity), opportunity.passed?.device),
    user: withPassed(userOf(opportunity), opportunity.passed?.user),
    test: opportunity.isTest ? 1 : undefined,
    tmax: Math.max(1, Math.floor(timeLeftMs)),
    cur: ['USD'],
    badv: joined(badv, blocks?.domains),
    bapp: joined(bapp, blocks?.apps),
    regs: regsOf(opportunity.privacy),
  };
  return { ...withPassed(base, opportunity.passed?.request), ...categoriesOf(bcat, opportunity) };
}

function auctionOf(solicitation: Solicitation): Auction {
  solicitation.kept ??= new Map();
  const known = solicitation.kept.get(keptName);
  if (known !== undefined) return known as Auction;
  const auction: Auction = { base: baseOf(solicitation), shared: [] };
  solicitation.kept.set(keptName, auction);
  return auction;
}

function requestOf(
  base: Base,
  { at, chain, expirySeconds }: Variant,
  solicitation: Solicitation,
): BidRequest {
  const { opportunity, supply } = solicitation;
  const schain = chainOf(chain, solicitation);
  return {
    ...base,
    imp: [impOf(opportunity, supply, expirySeconds)],
    at,
    source: {
      fd: 0,
      tid: opportunity.auctionId,
      ...opportunity.passed?.source,
      schain,
      ext: schain && { schain },
    },
  };
}

function variantOf(demand: Demand, { opportunity, supply }: Solicitation): Variant {
  const { auctionType, expiryMinutes } = demandPart(demand);
  return {
    at: auctionType ?? opportunity.auctionType ?? supply.auctionType,
    chain: chainForm(demand, supply),
    expirySeconds: expiryMinutes * 60,
  };
}

const isSame = (one: Variant, other: Variant) =>
  one.at === other.at && one.chain === other.chain && one.expirySeconds === other.expirySeconds;

function sharedOf(demand: Demand, solicitation: Solicitation): Shared {
  const variant = variantOf(demand, solicitation);
  const { base, shared } = auctionOf(solicitation);
  for (const known of shared) if (isSame(known.variant, variant)) return known;
  const request = requestOf(base, variant, solicitation);
  const made = { variant, request, plain: undefined, zipped: undefined };
  shared.push(made);
  return made;
}

const zip = (text: string | Uint8Array) => gzipSync(text, { level: 1 });

/** The body for a demand object: its bid request as JSON, compressed where its `Gzip` says so. */
export function bodyOf(demand: Demand, solicitation: Solicitation): string | Uint8Array {
  const shared = sharedOf(demand, solicitation);
  const { custom, isZipped } = demandPart(demand);
  if (custom.length > 0) {
    const text = JSON.stringify(custom.reduce<unknown>(withValueAt, shared.request));
    return isZipped ? zip(text) : text;
  }
  shared.plain ??= Buffer.from(JSON.stringify(shared.request));
  if (!isZipped) return shared.plain;
  shared.zipped ??= zip(shared.plain);
  return shared.zipped;
}
