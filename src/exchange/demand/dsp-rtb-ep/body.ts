import { gzipSync } from 'node:zlib';
import type { BidRequest } from '../../../protocols/openrtb/bid-request.ts';
import { type PathValue, readPathValue, withValueAt } from '../../../protocols/openrtb/field-path.ts';
import type { Demand } from '../../snapshot/demand.ts';
import type { Solicitation } from '../demand-kind.ts';
import { ownAuctionType } from '../own-auction-type.ts';
import { deviceOf } from './device.ts';
import { joined, withPassed } from './if-known.ts';
import { impOf } from './imp.ts';
import { inventoryOf } from './inventory.ts';
import { regsOf, userOf } from './privacy.ts';
import { type ChainForm, chainForm, chainOf } from './schain.ts';
import { flagOf, numberOf } from './stored-values.ts';
import { supplyPart } from './supply-part.ts';

/** All that a demand object without `CustomParams` can change in a request: those with the same share one text. */
interface Variant {
  readonly at: 1 | 2;
  readonly chain: ChainForm;
  readonly expirySeconds: number;
}

/** A request of a variant as it is sent, made when it is first wanted. */
interface Shared {
  readonly request: BidRequest;
  text: string | undefined;
  zipped: Uint8Array | undefined;
}

/** What is the same for all demand of an auction. */
type Base = Omit<BidRequest, 'imp' | 'at' | 'source'>;

interface Auction {
  readonly base: Base;
  readonly shared: Map<string, Shared>;
}

const keptName = 'DspRtbEp';
const customs = new WeakMap<Demand, readonly PathValue[]>();

const expiryStandardMinutes = 60;

function baseOf(solicitation: Solicitation): Base {
  const { opportunity, supply, timeLeftMs } = solicitation;
  const { bcat, badv, bapp } = supplyPart(supply);
  const { blocks } = opportunity;
  return {
    id: opportunity.auctionId,
    ...inventoryOf(solicitation),
    device: { ...opportunity.passed?.device, ...deviceOf(opportunity) },
    user: withPassed(userOf(opportunity), opportunity.passed?.user),
    test: opportunity.isTest ? 1 : undefined,
    tmax: Math.max(1, Math.floor(timeLeftMs)),
    cur: ['USD'],
    bcat: joined(bcat, blocks?.categories),
    badv: joined(badv, blocks?.domains),
    bapp: joined(bapp, blocks?.apps),
    regs: regsOf(opportunity.privacy),
  };
}

function auctionOf(solicitation: Solicitation): Auction {
  solicitation.kept ??= new Map();
  const known = solicitation.kept.get(keptName);
  if (known !== undefined) return known as Auction;
  const auction: Auction = { base: baseOf(solicitation), shared: new Map() };
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
    source: { fd: 0, tid: opportunity.auctionId, schain, ext: schain && { schain } },
  };
}

/** Minutes between auction and impression that a DSP RTB EP allows. */
export function expiryMinutesOf({ document }: Demand): number {
  return numberOf(document, 'ExpiryWindow') || expiryStandardMinutes;
}

function variantOf(demand: Demand, { opportunity, supply }: Solicitation): Variant {
  return {
    at: ownAuctionType(demand) ?? opportunity.auctionType ?? supply.auctionType,
    chain: chainForm(demand, supply),
    expirySeconds: expiryMinutesOf(demand) * 60,
  };
}

function sharedOf(demand: Demand, solicitation: Solicitation): Shared {
  const variant = variantOf(demand, solicitation);
  const key = `${variant.at} ${variant.chain} ${variant.expirySeconds}`;
  const { base, shared } = auctionOf(solicitation);
  const known = shared.get(key);
  if (known !== undefined) return known;
  const made = { request: requestOf(base, variant, solicitation), text: undefined, zipped: undefined };
  shared.set(key, made);
  return made;
}

/** `CustomParams` of a demand object, read once for each object of a snapshot. */
function customOf(demand: Demand): readonly PathValue[] {
  const known = customs.get(demand);
  if (known !== undefined) return known;
  const params: object = Object(demand.document.CustomParams ?? {});
  const custom = Object.entries(params)
    .map(([path, text]) => readPathValue(path, String(text)))
    .filter((value) => value !== undefined);
  customs.set(demand, custom);
  return custom;
}

const zip = (text: string) => gzipSync(text, { level: 1 });

/** The body for a demand object: its bid request as JSON, compressed where its `Gzip` says so. */
export function bodyOf(demand: Demand, solicitation: Solicitation): string | Uint8Array {
  const shared = sharedOf(demand, solicitation);
  const custom = customOf(demand);
  const isZipped = flagOf(demand.document, 'Gzip');
  if (custom.length > 0) {
    const text = JSON.stringify(custom.reduce<unknown>(withValueAt, shared.request));
    return isZipped ? zip(text) : text;
  }
  shared.text ??= JSON.stringify(shared.request);
  if (!isZipped) return shared.text;
  shared.zipped ??= zip(shared.text);
  return shared.zipped;
}
