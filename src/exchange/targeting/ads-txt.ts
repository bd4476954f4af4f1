import { appStorePage } from '../crawl/app-page.ts';
import type { Opportunity } from '../opportunity.ts';
import { chainSellers, publishedRules, type Seller } from './publication-check.ts';

/** Those in the supply chain, or without a chain our own publisher. */
function sellersOf(opportunity: Opportunity): readonly Seller[] {
  const sellers = chainSellers(opportunity);
  if (sellers.length > 0) return sellers;
  const { crawled, sellerId } = opportunity;
  return [{ asi: crawled?.ownSystem() ?? '', sid: sellerId }];
}

const none: readonly Seller[] = [];

const ofSites = publishedRules({
  field: 'CheckAdsTxt',
  sellersOf: (opportunity) => (opportunity.inventory.environment === 'web' ? sellersOf(opportunity) : none),
  find: ({ asi, sid }, { crawled, inventory: { domain } }) =>
    domain === '' ? 'missing' : crawled?.find('ads.txt', domain, asi, sid),
  unavailable: 'ads_txt_unavailable',
  violation: 'ads_txt_violation',
});

const ofApps = publishedRules({
  field: 'CheckAppAdsTxt',
  sellersOf: (opportunity) => (opportunity.inventory.environment === 'app' ? sellersOf(opportunity) : none),
  find: ({ asi, sid }, { crawled, inventory }) =>
    crawled?.find('app-ads.txt', appStorePage(inventory), inventory.domain, asi, sid),
  unavailable: 'ads_txt_unavailable',
  violation: 'ads_txt_violation',
});

/** `CheckAdsTxt` of an RTB EP: a site's sellers must be in its ads.txt (IAB Tech Lab, ads.txt 1.1). */
export const { unavailable: adsTxtUnavailable, violation: adsTxtViolation } = ofSites;

/** `CheckAppAdsTxt`: an app's sellers must be in its developer's app-ads.txt (IAB Tech Lab, app-ads.txt 1.0). */
export const { unavailable: appAdsTxtUnavailable, violation: appAdsTxtViolation } = ofApps;
