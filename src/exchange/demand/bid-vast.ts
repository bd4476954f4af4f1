import { readVast } from '../../protocols/vast/read-vast.ts';
import type { VastDocument, VastFault } from '../../protocols/vast/vast-document.ts';
import type { Bid } from './demand-kind.ts';

/** A bid's markup as VAST, read once a bid; undefined where there is no markup, or it is none of a video. */
export function vastOf(bid: Bid): VastDocument | VastFault | undefined {
  if (bid.vast !== undefined) return bid.vast;
  if (bid.media !== 'video' || bid.markup === undefined) return;
  bid.read ??= readVast(bid.markup);
  return bid.read;
}

/** Whether `vastOf` would have to read the markup first. */
export function isUnread({ media, markup, vast, read }: Bid): boolean {
  return media === 'video' && markup !== undefined && vast === undefined && read === undefined;
}
