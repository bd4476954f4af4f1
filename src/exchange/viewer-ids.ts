import type { ViewerIdsOf } from './opportunity.ts';
import type { MatchSealer } from './trackers/sealed-matches.ts';
import { hasOptedOut, type Matches, ownEntry, readMatches } from './viewer-matches.ts';

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
export function viewerIdsOf(cookie: string, timeMs: number, said?: SaidUid): ViewerIdsOf | undefined {
  const { text = '', demandId = 0, sealer } = said ?? {};
  const isSaid = text !== '' && text.length <= charactersMax;
  if ((cookie === '' && !isSaid) || hasOptedOut(cookie)) return undefined;
  let read: { readonly cookie: Matches | undefined; readonly token: Matches | undefined } | undefined;
  return ({ kind, id, partner }) => {
    const isFor = isSaid && kind === 'DspRtbEp' && id === demandId;
    if (partner === '' && !isFor) return undefined;
    read ??= { cookie: readMatches(cookie, timeMs), token: isSaid ? sealer?.open(text, timeMs) : undefined };
    const { token, cookie: inCookie } = read;
    const knownAs = (entry: string) =>
      partner === '' ? undefined : (token?.of(entry) ?? inCookie?.of(entry));
    const buyeruid = isFor && !token ? text : knownAs(partner);
    const ours = knownAs(ownEntry(partner));
    if (buyeruid === undefined && ours === undefined) return undefined;
    return { ...(buyeruid !== undefined && { buyeruid }), ...(ours !== undefined && { id: ours }) };
  };
}
