import type { App, Content, Publisher, Site } from '../../../protocols/openrtb/bid-request.ts';
import type { Opportunity, VideoPlacement } from '../../opportunity.ts';
import { ownHost } from '../../own-host.ts';
import { flagOf } from '../../stored-values.ts';
import type { Solicitation } from '../demand-kind.ts';
import { listIfAny, objectIfAny, textIfKnown, withPassed } from './if-known.ts';

/** A content context as a number of AdCOM's list; undefined for any other text that a publisher writes. */
const contextOf = (text: string) => (/^[1-7]$/.test(text) ? Number(text) : undefined);

function contentOf({ video, passed }: Opportunity): Content | undefined {
  return withPassed(contentOfVideo(video), passed?.content);
}

function contentOfVideo(video: VideoPlacement | undefined): Content | undefined {
  if (video === undefined) return undefined;
  return objectIfAny({
    series: textIfKnown(video.series),
    season: textIfKnown(video.season),
    context: contextOf(video.context),
  });
}

function publisherOf({ opportunity, supply: { account } }: Solicitation): Publisher {
  return {
    id: opportunity.sellerId || account.sellerId,
    name: textIfKnown(account.name),
    domain: textIfKnown(account.platformDomain),
  };
}

function mediumOf(solicitation: Solicitation) {
  const { opportunity, supply } = solicitation;
  const { categories, keywords } = opportunity.inventory;
  return {
    id: String(supply.id),
    cat: listIfAny(categories),
    keywords: textIfKnown(keywords),
    publisher: publisherOf(solicitation),
    content: contentOf(opportunity),
  };
}

function siteOf(solicitation: Solicitation): Site | undefined {
  const { opportunity, supply, baseUrl } = solicitation;
  const { domain, pageUrl } = opportunity.inventory;
  const isHidden = supply.kind === 'PopFeed' && !flagOf(supply.document, 'SendOriginalSite');
  const site = {
    ...mediumOf(solicitation),
    name: undefined,
    domain: isHidden ? ownHost(baseUrl) : textIfKnown(domain),
    page: isHidden ? undefined : textIfKnown(pageUrl),
    search: textIfKnown(opportunity.query),
  };
  return withPassed(site, isHidden ? undefined : opportunity.passed?.site);
}

function appOf(solicitation: Solicitation): App | undefined {
  const { inventory, passed } = solicitation.opportunity;
  const { appName, appBundle, appStoreUrl, domain } = inventory;
  const app = {
    ...mediumOf(solicitation),
    name: textIfKnown(appName),
    bundle: textIfKnown(appBundle),
    domain: textIfKnown(domain),
    storeurl: textIfKnown(appStoreUrl),
  };
  return withPassed(app, passed?.app);
}

/** Where the ad would be shown: an app if it is known to be one, else a site. */
export function inventoryOf(solicitation: Solicitation): { site: Site | undefined; app: App | undefined } {
  const { environment, appBundle } = solicitation.opportunity.inventory;
  const isApp = environment === 'app' || (environment === '' && appBundle !== '');
  return isApp
    ? { site: undefined, app: appOf(solicitation) }
    : { site: siteOf(solicitation), app: undefined };
}
