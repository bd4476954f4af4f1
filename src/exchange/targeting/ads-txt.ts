import { appStorePage } from '../crawl/app-page.ts';
import type { Finding } from '../crawl/crawl-findings.ts';
import type { Opportunity } from '../opportunity.ts';
import { chainSellers, publishedRules, type Seller } from './publication-check.ts';

/** Those in the supply chain, or without a chain our own publisher. */
function sellersOf(opportunity: Opportunity): readonly Seller[] {
  const sellers = chainSellers(opportunity);
  if (sellers.length > 0) return sellers;
  const { crawled, sellerId } = opportunity;
  return [{ asi: crawled?.ownSystem() ?? '', sid: sellerId }];
}

/**
 * By the owner's file, else by that of a partner whom it names. Refused by the owner's, a seller waits for the partner's:
 * else any name of a partner would make the answer unknown.
 */
function authorization(
  { crawled, inventory: { partnerDomain } }: Opportunity,
  file: 'ads.txt' | 'app-ads.txt',
  ...about: readonly string[]
): Finding | undefined {
  const own = crawled?.find(file, ...about);
  if (own !== 'no' || partnerDomain === '') return own;
  return crawled?.find(file, ...about, partnerDomain) ?? 'no';
}

const none: readonly Seller[] = [];

const ofSites = publishedRules({
  field: 'CheckAdsTxt',
  sellersOf: (opportunity) => (opportunity.inventory.environment === 'web' ? sellersOf(opportunity) : none),
  find({ asi, sid }, opportunity) {
    const { domain } = opportunity.inventory;
    return domain === '' ? 'missing' : authorization(opportunity, 'ads.txt', domain, asi, sid);
  },
  unavailable: 'ads_txt_unavailable',
  violation: 'ads_txt_violation',
});

const ofApps = publishedRules({
  field: 'CheckAppAdsTxt',
  sellersOf: (opportunity) => (opportunity.inventory.environment === 'app' ? sellersOf(opportunity) : none),
  find({ asi, sid }, opportunity) {
    const { domain } = opportunity.inventory;
    const page = appStorePage(opportunity.inventory);
    // The request's domain counts where the store names no developer, so that no other makes the answer unknown.
    const byStore = page === '' ? 'missing' : authorization(opportunity, 'app-ads.txt', page, '', asi, sid);
    if (byStore !== 'missing' || domain === '') return byStore;
    return authorization(opportunity, 'app-ads.txt', page, domain, asi, sid);
  },
  unavailable: 'ads_txt_unavailable',
  violation: 'ads_txt_violation',
});

/** `CheckAdsTxt` of an RTB EP: a site's sellers must be in its ads.txt (IAB Tech Lab, ads.txt 1.1). */
export const { unavailable: adsTxtUnavailable, violation: adsTxtViolation } = ofSites;

/** `CheckAppAdsTxt`: an app's sellers must be in its developer's app-ads.txt (IAB Tech Lab, app-ads.txt 1.0). */
export const { unavailable: appAdsTxtUnavailable, violation: appAdsTxtViolation } = ofApps;
