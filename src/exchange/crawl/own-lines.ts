import { siteHost, siteOwnerOf } from '../reading/site-host.ts';
import { appStorePage } from './app-page.ts';
import type { Business, CrawlFindings, Finding } from './crawl-findings.ts';

/** A site, or an app. */
export interface AdPlace {
  /** Domain or URL; `""` = none, or an app whose store page is unknown. */
  readonly site: string;
  readonly appBundle: string;
  readonly appStoreUrl: string;
}

export interface OwnLine {
  readonly file: 'ads.txt' | 'app-ads.txt';
  /** The site's host, or the app's bundle. */
  readonly place: string;
  /** Where the file is looked for; `""` until the app's store page is known. */
  readonly url: string;
  /** Undefined until known; reading it requests a crawl if one is due. */
  readonly finding: Finding | undefined;
  readonly business: Business | undefined;
}

export interface OwnLines {
  /** Our name in these files. */
  readonly system: string;
  readonly lines: readonly OwnLine[];
}

/** Whether places authorize a seller of this exchange, as far as known (IAB Tech Lab, ads.txt 1.1). */
export function ownLines(findings: CrawlFindings, sellerId: string, places: readonly AdPlace[]): OwnLines {
  const system = findings.ownSystem();
  const said = (file: OwnLine['file'], ...about: readonly string[]) => ({
    file,
    finding: findings.find(file, ...about),
    business: findings.businessOf(file, ...about),
  });
  const lineOf = ({ site, appBundle, appStoreUrl }: AdPlace): OwnLine[] => {
    const host = siteHost(site);
    if (appBundle === '' && host === '') return [];
    if (appBundle === '') {
      const url = `https://${siteOwnerOf(host)}/ads.txt`;
      return [{ place: host, url, ...said('ads.txt', host, system, sellerId) }];
    }
    const page = appStorePage({ appStoreUrl, appBundle });
    const url = page === '' && host !== '' ? `https://${siteOwnerOf(host)}/app-ads.txt` : '';
    return [{ place: appBundle, url, ...said('app-ads.txt', page, host, system, sellerId) }];
  };
  return { system, lines: places.flatMap(lineOf) };
}
