import { fillMacros } from '../../protocols/openrtb/macros.ts';
import type { Auction, Ranked } from '../auction/auction.ts';
import { auctionMacros } from '../demand/auction-macros.ts';
import { textHash } from './text-hash.ts';
import type { TrackedAd } from './tokens.ts';

const minuteMs = 60_000;
const expiryMinutes = 60;
const billingNoticeCharactersMax = 2048;

function billingNoticeOf({ opportunity }: Auction, { bid, clearingCpmMicros }: Ranked): string {
  if (bid.notices.billing === '') return '';
  const macros = auctionMacros(opportunity.auctionId, bid, { clearingCpmMicros });
  const notice = fillMacros(bid.notices.billing, macros);
  return notice.length > billingNoticeCharactersMax ? '' : notice;
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
    subId: opportunity.subId,
    place: inventory.appBundle || inventory.domain,
    isApp: inventory.appBundle !== '',
    ip: ip?.text ?? '',
    userAgentHash: textHash(userAgent),
    billingNotice: billingNoticeOf(auction, ranked),
  };
}
