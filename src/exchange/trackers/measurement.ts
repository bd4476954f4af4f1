import type { MeasurementMacro } from '../../reference/measurement-macros.ts';
import type { Auction, RankedBid } from '../auction/auction.ts';
import { adFactsOf, auctionTraffic, placementName } from '../auction/counted-facts.ts';
import { privacyUrlMacros } from '../demand/privacy-values.ts';
import { cpmUsdOf } from '../money.ts';
import { textHash } from './text-hash.ts';

const urlCharactersMax = 8192;
/** Of a hundred percent with two decimals. */
const shares = 10_000;
const placeCharactersMax = 255;

/** USD CPM, highest first. */
const priceSteps = [20, 10, 5, 2, 1, 0.5, 0] as const;

/** Always the same for the same ID. @internal */
export function isSampled(auctionId: string, percentage: number): boolean {
  return textHash(auctionId) % shares < Math.round((percentage * shares) / 100);
}

const values: Readonly<Record<MeasurementMacro, (auction: Auction, ranked: RankedBid) => string | number>> = {
  auction_id: ({ opportunity }) => opportunity.auctionId,
  publisher_id: ({ supply }) => supply.account.id,
  supply_id: ({ supply }) => supply.id,
  site: ({ opportunity }) => placementName(opportunity).slice(0, placeCharactersMax),
  size: (auction) => auctionTraffic(auction).size,
  medium: ({ opportunity }) => opportunity.media,
  creative_id: (_, { bid }) => adFactsOf(bid).creative,
  // The payout, which the publisher knows: the clearing price would tell it our margin.
  price_bucket: (_, { payoutCpmMicros }) => priceSteps.find((step) => cpmUsdOf(payoutCpmMicros) >= step) ?? 0,
  ...privacyUrlMacros,
};

const isMacro = (name: string): name is MeasurementMacro => Object.hasOwn(values, name);

/**
 * Third-party measurement (`ThirdPartyPostbidEnable`, `ThirdPartyPercentage`), values encoded; undefined if not
 * sampled. Secure pages load nothing by plain HTTP.
 */
export function measurementUrl(auction: Auction, ranked: RankedBid): string | undefined {
  const { supply, opportunity, services } = auction;
  const { ThirdPartyPostbidEnable, ThirdPartyPercentage = 0 } = supply.settings;
  if (ThirdPartyPostbidEnable !== 1 || !isSampled(opportunity.auctionId, ThirdPartyPercentage))
    return undefined;
  const { measurementUrl: template } = services.teamOf(supply.teamId);
  if (template === '' || (opportunity.isSecure && !/^https:/i.test(template))) return undefined;
  const url = template.replaceAll(/\{([^{}]*)\}/g, (macro, name: string) =>
    isMacro(name) ? encodeURIComponent(String(values[name](auction, ranked)).toWellFormed()) : macro,
  );
  return url.length > urlCharactersMax ? undefined : url;
}
