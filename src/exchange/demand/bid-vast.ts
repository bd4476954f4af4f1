import { convertToVersion } from '../../protocols/vast/convert-version.ts';
import { readDaast } from '../../protocols/vast/read-daast.ts';
import { readVast } from '../../protocols/vast/read-vast.ts';
import type { VastDocument, VastFault } from '../../protocols/vast/vast-document.ts';
import {
  isSince,
  knownVersion,
  protocolOf,
  type VastVersion,
  versionsOf,
} from '../../protocols/vast/vast-version.ts';
import type { Opportunity } from '../opportunity.ts';
import type { Bid } from './demand-kind.ts';

const isStream = ({ media }: Bid) => media === 'video' || media === 'audio';

/** Read once; undefined without markup, or if neither video nor audio. */
export function vastOf(bid: Bid): VastDocument | VastFault | undefined {
  if (bid.vast !== undefined) return bid.vast;
  if (!isStream(bid) || bid.markup === undefined) return;
  bid.read ??= readVast(bid.markup);
  return bid.read;
}

export function isUnread(bid: Bid): boolean {
  const { markup, vast, read } = bid;
  return isStream(bid) && markup !== undefined && vast === undefined && read === undefined;
}

/** DAAST is the older standard for audio. */
export function isDaast(bid: Bid): boolean {
  const vast = vastOf(bid);
  if (bid.media !== 'audio' || vast === undefined || !('fault' in vast)) return false;
  return vast.fault === 'not_vast' && readDaast(bid.markup ?? '') !== undefined;
}

const hasWrapper = ({ ads }: VastDocument) => ads.some(({ isInLine }) => !isInLine);

/** The best version first: the newest before its own, then the later ones. */
function inTurn(versions: readonly VastVersion[], own: VastVersion | undefined): readonly VastVersion[] {
  const older = versions.filter((version) => own === undefined || !isSince(version, own));
  return [...older.toReversed(), ...versions.filter((version) => !older.includes(version))];
}

function fitToOne(
  document: VastDocument,
  versions: readonly VastVersion[],
  id: string,
): VastDocument | undefined {
  const own = knownVersion(document.version);
  if (own !== undefined && versions.includes(own)) return document;
  for (const version of inTurn(versions, own)) {
    const fitted = convertToVersion(document, version, id);
    if (fitted !== undefined) return 'fault' in fitted ? undefined : fitted;
  }
  return undefined;
}

/** Undefined if the player takes any. */
function versionsFor(document: VastDocument, { video }: Opportunity): readonly VastVersion[] | undefined {
  const protocols = video?.protocols ?? [];
  return protocols.length === 0 ? undefined : versionsOf(protocols, hasWrapper(document));
}

/** The document in a version that the player takes, converted once if need be; undefined if impossible. */
export function vastForPlayer(bid: Bid, opportunity: Opportunity): VastDocument | undefined {
  const vast = vastOf(bid);
  if (vast === undefined || 'fault' in vast) return undefined;
  const versions = versionsFor(vast, opportunity);
  bid.served ??= versions === undefined ? vast : fitToOne(vast, versions, opportunity.auctionId);
  return bid.served;
}

/** Converts the bid's document to another's version; false if impossible. */
export function matchVersion(bid: Bid, { version }: VastDocument, opportunity: Opportunity): boolean {
  const served = vastForPlayer(bid, opportunity);
  if (served === undefined || served.version === version) return served !== undefined;
  const known = knownVersion(version);
  const fitted = known && fitToOne(served, [known], opportunity.auctionId);
  if (fitted) bid.served = fitted;
  return fitted !== undefined;
}

export function inServedVersion(
  document: VastDocument,
  bid: Bid,
  opportunity: Opportunity,
): VastDocument | undefined {
  const version = knownVersion(vastForPlayer(bid, opportunity)?.version ?? '');
  if (version === undefined) return document;
  return fitToOne(document, [version], opportunity.auctionId);
}

/** As its bidder sent it, but `protocol` is that of the version served. */
export function originalBid({ received, served }: Bid): Bid['received'] {
  const version = knownVersion(served?.version ?? '');
  if (!served || !version || !received || !('protocol' in received)) return received;
  return { ...received, protocol: protocolOf(version, hasWrapper(served)) };
}
