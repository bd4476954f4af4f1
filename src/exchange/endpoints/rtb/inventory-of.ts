import type { App, Site } from '../../../protocols/openrtb/objects/inventory.ts';
import type { BidRequest } from '../../../protocols/openrtb/objects/request.ts';
import type { Inventory } from '../../opportunity.ts';
import { iabTaxonomy, isIabName } from '../../reading/iab-name.ts';
import { siteHost } from '../../reading/site-host.ts';
import type { Supply } from '../../snapshot/supply.ts';

const categoriesMax = 100;

function categoriesOf(supply: Supply, medium: Site | App | undefined): string[] {
  const own = supply.settings.IabCategories;
  const { cat = [], sectioncat = [], pagecat = [], cattax = iabTaxonomy } = medium ?? {};
  const requested = cattax === iabTaxonomy ? [...cat, ...sectioncat, ...pagecat] : [];
  return [...new Set([...(own ?? []), ...requested.filter(isIabName).slice(0, categoriesMax)])];
}

function environmentOf({ site, app, dooh }: BidRequest, pageUrl: string): Inventory['environment'] {
  if (app) return 'app';
  if (dooh) return 'dooh';
  return site || pageUrl !== '' ? 'web' : '';
}

/** Falls back on the referer if the request names no page; `""` if unknown. */
export function pageOf({ site, app, dooh }: BidRequest, referer: string): string {
  return app || dooh ? '' : site?.page || referer;
}

/** `referer` is a browser's page; `""` if a server asks. */
export function inventoryOf(supply: Supply, request: BidRequest, referer: string): Inventory {
  const { site, app, dooh } = request;
  const medium = app ?? site;
  const pageUrl = pageOf(request, referer);
  return {
    environment: environmentOf(request, pageUrl),
    domain: siteHost((medium ?? dooh)?.domain ?? '') || siteHost(pageUrl),
    pageUrl,
    appBundle: app?.bundle ?? '',
    appName: app?.name ?? '',
    appStoreUrl: app?.storeurl ?? '',
    partnerDomain: siteHost(medium?.inventorypartnerdomain ?? ''),
    categories: categoriesOf(supply, medium),
    keywords: '',
  };
}
