import type { BuyerUidOf } from './opportunity.ts';
import type { MatchSealer } from './trackers/sealed-matches.ts';
import { hasOptedOut, type Matches, readMatches } from './viewer-matches.ts';

/** A longer ID is nobody's. */
const charactersMax = 1500;

/** A bid request's `user.buyeruid`: a token of ours, or the ID of one demand partner. */
interface SaidUid {
  readonly text: string;
  /** The DSP RTB EP whose ID it is (`BuyerUidOf`); 0 = none's. */
  readonly demandId: number;
  readonly sealer: Pick<MatchSealer, 'open'>;
}

/**
 * From the viewer's cookie and the bid request; undefined if they have nothing, or the viewer has opted out. They are
 * read once a partner is called that may know the viewer: in most auctions never.
 */
export function buyerUidsOf(cookie: string, timeMs: number, said?: SaidUid): BuyerUidOf | undefined {
  const { text = '', demandId = 0, sealer } = said ?? {};
  const isSaid = text !== '' && text.length <= charactersMax;
  if ((cookie === '' && !isSaid) || hasOptedOut(cookie)) return undefined;
  let read: { readonly cookie: Matches | undefined; readonly token: Matches | undefined } | undefined;
  return ({ kind, id, partner }) => {
    const isFor = isSaid && kind === 'DspRtbEp' && id === demandId;
    if (partner === '' && !isFor) return undefined;
    read ??= { cookie: readMatches(cookie, timeMs), token: isSaid ? sealer?.open(text, timeMs) : undefined };
    if (isFor && !read.token) return text;
    return partner === '' ? undefined : (read.token?.of(partner) ?? read.cookie?.of(partner));
  };
}
