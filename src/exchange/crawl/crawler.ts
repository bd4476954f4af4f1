import { type AdsTxt, readAdsTxt } from '../../protocols/adstxt/read-ads-txt.ts';
import { readDeveloperUrl } from '../../protocols/appstore/read-developer-url.ts';
import { readSellerIds } from '../../protocols/sellersjson/read-seller-ids.ts';
import type { Fetcher } from '../demand/outbound/fetcher.ts';
import { siteHost, siteOwnerOf } from '../reading/site-host.ts';
import type { CrawlResult, Finding, Subject, SubjectKind } from './crawl-findings.ts';
import { createOwnerQueue } from './owner-queue.ts';
import {
  cacheMs,
  createFetchUrl,
  createFileCache,
  type FetchUrl,
  firstAnswer,
  type PublishedFile,
} from './published-file.ts';

export interface Crawler {
  crawl(subject: Subject): Promise<CrawlResult>;
}

export interface CrawlerOptions {
  readonly fetch: Fetcher['fetch'];
  /** For the longest files; these are fetched one at a time. */
  readonly fetchLong: Fetcher['fetch'];
  /** Milliseconds, never going back. */
  readonly now: () => number;
  readonly userAgent: string;
}

type FinderResult = Omit<CrawlResult, 'subject'>;
type Finder = (...about: readonly string[]) => Promise<FinderResult>;

const atOnceMax = 16;
const filesMax = { adsTxt: 512, sellersJson: 32, developer: 2048 };
const liveMs = 6 * 3_600_000;
const deadMs = 15 * 60_000;

function found<Content>(file: PublishedFile<Content>, says: (content: Content) => boolean): FinderResult {
  const finding = (): Finding | undefined => {
    if (file === 'unknown') return undefined;
    if (file === 'missing') return 'missing';
    return says(file.content) ? 'yes' : 'no';
  };
  return { finding: finding(), forMs: cacheMs(file) };
}

/** If any host answered within this time, a silent host is down; else the fault may be ours. */
const onlineMs = 10 * 60_000;

const isGone = (status: number) => status === 404 || status === 410;
const isFailing = (status: number) => status >= 500;

function finders({
  fetch,
  fetchLong,
  now,
  userAgent,
}: CrawlerOptions): Readonly<Record<SubjectKind, Finder>> {
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  const noteAnswers =
    (asking: FetchUrl): FetchUrl =>
    async (url) => {
      const answer = await asking(url);
      if (answer !== undefined) answeredAtMs = now();
      return answer;
    };
  const ask = noteAnswers(createFetchUrl(fetch, createOwnerQueue(atOnceMax), userAgent));
  const askLong = noteAnswers(createFetchUrl(fetchLong, createOwnerQueue(1), userAgent));
  const adsTxt = createFileCache({ ask, now, read: readAdsTxt, filesMax: filesMax.adsTxt });
  const sellersJson = createFileCache({
    ask: askLong,
    now,
    read: readSellerIds,
    filesMax: filesMax.sellersJson,
  });
  const developer = createFileCache({ ask, now, read: readDeveloperUrl, filesMax: filesMax.developer });

  /** The file that speaks for a host: its registrable domain's, unless that delegates to the subdomain. */
  const fileOfHost = async (host: string, path: string): Promise<PublishedFile<AdsTxt>> => {
    const file = await adsTxt(siteOwnerOf(host) + path);
    const isOwn = typeof file === 'object' && file.content.subdomains.has(host);
    return isOwn ? adsTxt(host + path) : file;
  };
  /** The developer's host by the app's page in the store, else by the request. */
  const developerHost = async (page: string, domain: string): Promise<string> => {
    const file = page === '' ? 'missing' : await developer(page);
    return (typeof file === 'object' && siteHost(file.content)) || domain;
  };

  return {
    site: async (host = '') => {
      const answer = await firstAnswer(ask, `${host}/`, `www.${host}/`);
      if (answer === undefined && now() - answeredAtMs > onlineMs)
        return { finding: undefined, forMs: deadMs };
      const isLive = answer !== undefined && !isGone(answer.status) && !isFailing(answer.status);
      return { finding: isLive ? 'yes' : 'no', forMs: isLive ? liveMs : deadMs };
    },
    app: async (page = '') => {
      const answer = await firstAnswer(ask, page);
      if (answer?.status === 200) return { finding: 'yes', forMs: liveMs };
      // A store that refuses to answer says nothing about the app.
      return { finding: answer && isGone(answer.status) ? 'no' : undefined, forMs: deadMs };
    },
    'ads.txt': async (host = '', system = '', account = '') =>
      found(await fileOfHost(host, '/ads.txt'), (file) => file.authorizes(system, account)),
    'app-ads.txt': async (page = '', domain = '', system = '', account = '') => {
      const host = await developerHost(page, domain);
      const file = host === '' ? 'missing' : await fileOfHost(host, '/app-ads.txt');
      return found(file, ({ authorizes }) => authorizes(system, account));
    },
    'sellers.json': async (system = '', account = '') => {
      const host = siteHost(system);
      const file = host === '' ? 'missing' : await sellersJson(`${host}/sellers.json`);
      return found(file, (ids) => ids.has(account.trim()));
    },
  };
}

export function createCrawler(options: CrawlerOptions): Crawler {
  const byKind = finders(options);
  return {
    async crawl(subject) {
      const [kind, ...about] = subject.split('\t') as [SubjectKind, ...string[]];
      return { subject, ...(await byKind[kind](...about)) };
    },
  };
}
