import { readVast } from '../../protocols/vast/read-vast.ts';
import type { VastDocument, VastFault } from '../../protocols/vast/vast-document.ts';
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
