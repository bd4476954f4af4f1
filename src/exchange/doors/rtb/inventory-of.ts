import type { ReceivedRequest } from '../../../protocols/openrtb/received-request.ts';
import type { Inventory } from '../../opportunity.ts';
import { iabTaxonomy, isIabName } from '../../reading/iab-name.ts';
import { siteHost } from '../../reading/site-host.ts';
import type { Supply } from '../../snapshot/supply.ts';
import { listOrNone, textOr } from './optional-members.ts';

const categoriesMax = 100;

type Medium = NonNullable<ReceivedRequest['site']> | NonNullable<ReceivedRequest['app']>;

/** IAB names of the endpoint and of the request together. */
function categoriesOf(supply: Supply, medium: Medium | undefined): string[] {
  const own = supply.document.IabCategories as readonly string[] | undefined;
  const isKnown = (medium?.cattax ?? iabTaxonomy) === iabTaxonomy;
  const lists = isKnown ? [medium?.cat, medium?.sectioncat, medium?.pagecat] : [];
  const requested = lists.flatMap(listOrNone);
  return [...new Set([...(own ?? []), ...requested.filter(isIabName).slice(0, categoriesMax)])];
}

function keywordsOf(medium: Medium | undefined): string {
  return textOr(medium?.keywords, listOrNone(medium?.kwarray).join(','));
}

/** Where the ad would be shown. `referer` is the page of a browser that asks for itself; `""` if a server asks. */
export function inventoryOf(supply: Supply, { site, app }: ReceivedRequest, referer: string): Inventory {
  const medium = app ?? site ?? undefined;
  const pageUrl = app ? '' : site?.page || referer;
  const webOrNone = site || pageUrl !== '' ? 'web' : '';
  return {
    environment: app ? 'app' : webOrNone,
    domain: siteHost(textOr(medium?.domain)) || siteHost(pageUrl),
    pageUrl,
    appBundle: textOr(app?.bundle),
    appName: textOr(app?.name),
    appStoreUrl: textOr(app?.storeurl),
    categories: categoriesOf(supply, medium),
    keywords: keywordsOf(medium),
  };
}
