import { fillMacros, type MacroValues, macroOf } from '../../protocols/openrtb/macros.ts';
import type { Auction, Ranked } from '../auction/auction.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import { textHash } from './text-hash.ts';
import type { TrackedAd } from './tokens.ts';

const minuteMs = 60_000;
const expiryMinutes = 60;
const noticeCharactersMax = 2048;
/** Statistics cut there as well (decisions, S10). */
const subIdCharactersMax = 128;
/** No domain or bundle is longer. */
const placeCharactersMax = 255;

/** A notice as it travels in a token; one that is too long does not. */
function noticeOf(url: string, macros: MacroValues): string {
  const notice = url === '' ? '' : fillMacros(url, macros);
  return notice.length > noticeCharactersMax ? '' : notice;
}

/** The notices of a bid that is offered further: it wins or loses later, and whoever tells us says why. */
export function offerNotices({ opportunity }: Auction, { bid, clearingCpmMicros }: Ranked) {
  const won = auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros });
  const lost = auctionMacros(opportunity.auctionId, bid, { reason: 'lost' });
  const later = { ...lost, LOSS: macroOf('LOSS'), MIN_TO_WIN: macroOf('MIN_TO_WIN') };
  return { winNotice: noticeOf(bid.notices.win, won), lossNotice: noticeOf(bid.notices.loss, later) };
}

function billingNoticeOf({ opportunity }: Auction, { bid, clearingCpmMicros }: Ranked): string {
  return noticeOf(bid.notices.billing, auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros }));
}

/** What the trackers of a ranked bid have to know. */
export function trackedAd(auction: Auction, ranked: Ranked): TrackedAd {
  const { supply, opportunity } = auction;
  const { inventory, ip, userAgent, timeMs } = opportunity;
  const { demand } = ranked.candidate;
  return {
    auctionId: opportunity.auctionId,
    supply: { kind: supply.kind, id: supply.id },
    demand: { kind: demand.kind, id: demand.id },
    clearingCpmMicros: ranked.clearingCpmMicros,
    payoutCpmMicros: ranked.payoutCpmMicros,
    auctionMs: timeMs,
    expiresMs: timeMs + (ranked.bid.expiryMinutes || expiryMinutes) * minuteMs,
    subId: opportunity.subId.slice(0, subIdCharactersMax),
    place: (inventory.appBundle || inventory.domain).slice(0, placeCharactersMax),
    isApp: inventory.appBundle !== '',
    ip: ip?.text ?? '',
    userAgentHash: textHash(userAgent),
    billingNotice: billingNoticeOf(auction, ranked),
    offer: '',
    winNotice: '',
    lossNotice: '',
    landing: '',
    isRefererChecked: false,
  };
}
