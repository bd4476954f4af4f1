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

/** Media whose ads are VAST. */
const isStream = ({ media }: Bid) => media === 'video' || media === 'audio';

/** A bid's markup as VAST, read only once; undefined for a bid without markup, or for neither video nor audio. */
export function vastOf(bid: Bid): VastDocument | VastFault | undefined {
  if (bid.vast !== undefined) return bid.vast;
  if (!isStream(bid) || bid.markup === undefined) return;
  bid.read ??= readVast(bid.markup);
  return bid.read;
}

/** Whether `vastOf` would have to read the markup first. */
export function isUnread(bid: Bid): boolean {
  const { markup, vast, read } = bid;
  return isStream(bid) && markup !== undefined && vast === undefined && read === undefined;
}

/** Whether the bid is audio in DAAST, which came before VAST took audio in. */
export function isDaast(bid: Bid): boolean {
  const vast = vastOf(bid);
  if (bid.media !== 'audio' || vast === undefined || !('fault' in vast)) return false;
  return vast.fault === 'not_vast' && readDaast(bid.markup ?? '') !== undefined;
}

const hasWrapper = ({ ads }: VastDocument) => ads.some(({ isInLine }) => !isInLine);

/**
 * The versions to serve a document in, the best first: the newest of those before its own, then the next ones after.
 */
function inTurn(versions: readonly VastVersion[], own: VastVersion | undefined): readonly VastVersion[] {
  const older = versions.filter((version) => own === undefined || !isSince(version, own));
  return [...older.toReversed(), ...versions.filter((version) => !older.includes(version))];
}

/** A document as one of these versions; undefined where no ad of it could be played in any of them. */
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

/** The versions that the player takes a document in, by its protocols; undefined where it takes any. */
function versionsFor(document: VastDocument, { video }: Opportunity): readonly VastVersion[] | undefined {
  const protocols = video?.protocols ?? [];
  return protocols.length === 0 ? undefined : versionsOf(protocols, hasWrapper(document));
}

/**
 * Has the bid's document in a version that the player takes, made to fit once where it is in another. Undefined where
 * it cannot be, or is no VAST.
 */
export function vastForPlayer(bid: Bid, opportunity: Opportunity): VastDocument | undefined {
  const vast = vastOf(bid);
  if (vast === undefined || 'fault' in vast) return undefined;
  const versions = versionsFor(vast, opportunity);
  bid.served ??= versions === undefined ? vast : fitToOne(vast, versions, opportunity.auctionId);
  return bid.served;
}

/** Has the bid's document in the version of another's, from now on. False where it cannot be. */
export function matchVersion(bid: Bid, { version }: VastDocument, opportunity: Opportunity): boolean {
  const served = vastForPlayer(bid, opportunity);
  if (served === undefined || served.version === version) return served !== undefined;
  const known = knownVersion(version);
  const fitted = known && fitToOne(served, [known], opportunity.auctionId);
  if (fitted) bid.served = fitted;
  return fitted !== undefined;
}

/** A document that came from the bid's markup, in the version in which the bid is served. */
export function inServedVersion(
  document: VastDocument,
  bid: Bid,
  opportunity: Opportunity,
): VastDocument | undefined {
  const version = knownVersion(vastForPlayer(bid, opportunity)?.version ?? '');
  if (version === undefined) return document;
  return fitToOne(document, [version], opportunity.auctionId);
}

/** The bid as its bidder wrote it. Its `protocol` is that of the version in which it is served. */
export function originalBid({ received, served }: Bid): Bid['received'] {
  const version = knownVersion(served?.version ?? '');
  if (!served || !version || !received || !('protocol' in received)) return received;
  return { ...received, protocol: protocolOf(version, hasWrapper(served)) };
}
