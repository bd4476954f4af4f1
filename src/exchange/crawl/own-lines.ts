import { siteHost, siteOwnerOf } from '../reading/site-host.ts';
import { appStorePage } from './app-page.ts';
import type { CrawlFindings, Finding } from './crawl-findings.ts';

/** Where ads of a publisher are shown, as its placements name it: a site, or an app. */
export interface AdPlace {
  /** Domain or URL; `""` = none, or an app's that no page of a store is known of. */
  readonly site: string;
  readonly appBundle: string;
  readonly appStoreUrl: string;
}

/** What is known of a place's file. */
export interface OwnLine {
  readonly file: 'ads.txt' | 'app-ads.txt';
  /** The host of the site, or the app's bundle. */
  readonly place: string;
  /** Where the file is looked for; `""` where the page of the app in its store is to tell. */
  readonly url: string;
  /** Undefined until it is known; asking for it requests a crawl where one is due. */
  readonly finding: Finding | undefined;
}

/** What is published of a seller of ours. */
export interface OwnLines {
  /** Our name in these files. */
  readonly system: string;
  /** In the order of the places; those that name nothing are left out. */
  readonly lines: readonly OwnLine[];
}

/** Whether places authorize a seller of this exchange, as far as it is known (IAB Tech Lab, ads.txt 1.1). */
export function ownLines(findings: CrawlFindings, sellerId: string, places: readonly AdPlace[]): OwnLines {
  const system = findings.ownSystem();
  const lineOf = ({ site, appBundle, appStoreUrl }: AdPlace): OwnLine[] => {
    const host = siteHost(site);
    if (appBundle === '' && host === '') return [];
    if (appBundle === '') {
      const finding = findings.find('ads.txt', host, system, sellerId);
      return [{ file: 'ads.txt', place: host, url: `https://${siteOwnerOf(host)}/ads.txt`, finding }];
    }
    const page = appStorePage({ appStoreUrl, appBundle });
    const finding = findings.find('app-ads.txt', page, host, system, sellerId);
    const url = page === '' && host !== '' ? `https://${siteOwnerOf(host)}/app-ads.txt` : '';
    return [{ file: 'app-ads.txt', place: appBundle, url, finding }];
  };
  return { system, lines: places.flatMap(lineOf) };
}
