import { type AdsTxt, readAdsTxt } from '../../protocols/adstxt/read-ads-txt.ts';
import { readDeveloperUrl } from '../../protocols/appstore/read-developer-url.ts';
import { readSellerIds } from '../../protocols/sellersjson/read-seller-ids.ts';
import type { TextSet } from '../../protocols/text-set.ts';
import type { Fetcher } from '../demand/outbound/fetcher.ts';
import { siteHost, siteOwnerOf } from '../reading/site-host.ts';
import type { CrawlResult, Finding, Subject, SubjectKind } from './crawl-findings.ts';
import { createOwnerQueue } from './owner-queue.ts';
import {
  createFetchUrl,
  createFileCache,
  type FetchUrl,
  type FileForm,
  firstAnswer,
  isGone,
  keptMs,
  type PublishedFile,
  withinRootDomain,
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
/** As memory: some thousand files of ads.txt, and the largest files of sellers.json. */
const charactersMax = { adsTxt: 128 * 1_048_576, sellersJson: 64 * 1_048_576, developer: 1_048_576 };
const liveMs = 6 * 3_600_000;
const deadMs = 15 * 60_000;

/** By the standards' letter: ads.txt 1.1 section 3.1, sellers.json 1.0 (access method). */
const forms = {
  adsTxt: { read: readAdsTxt, charactersOf: ({ characters }) => characters, contentType: 'text/plain' },
  sellersJson: { read: readSellerIds, charactersOf: ({ characters }) => characters, outlivesAbsence: true },
  developer: { read: readDeveloperUrl, charactersOf: ({ length }) => length },
} as const satisfies {
  adsTxt: FileForm<AdsTxt>;
  sellersJson: FileForm<TextSet>;
  developer: FileForm<string>;
};

const contentOf = <Content>({ state }: PublishedFile<Content>): Content | undefined =>
  typeof state === 'object' ? state.content : undefined;

function findingOf<Content>(
  { state }: PublishedFile<Content>,
  says: (content: Content) => boolean,
): Finding | undefined {
  if (state === 'unknown') return undefined;
  if (state === 'missing') return 'missing';
  return says(state.content) ? 'yes' : 'no';
}

/** Of nobody who could publish it. */
const nowhere: FinderResult = { finding: 'missing', forMs: keptMs.missing };

/** If any host answered within this time, a silent host is down; else the fault may be ours. */
const onlineMs = 10 * 60_000;

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
  const queue = createOwnerQueue(atOnceMax);
  const ask = noteAnswers(createFetchUrl(fetch, queue, userAgent));
  const askFile = noteAnswers(createFetchUrl(fetch, queue, userAgent, withinRootDomain));
  const askLong = noteAnswers(createFetchUrl(fetchLong, createOwnerQueue(1), userAgent, withinRootDomain));
  const cacheOf = <Content>(form: FileForm<Content>, charactersMost: number, fetchUrl: FetchUrl) =>
    createFileCache({ ...form, charactersMax: charactersMost, ask: fetchUrl, now });
  const adsTxt = cacheOf<AdsTxt>(forms.adsTxt, charactersMax.adsTxt, askFile);
  const sellersJson = cacheOf<TextSet>(forms.sellersJson, charactersMax.sellersJson, askLong);
  const developer = cacheOf<string>(forms.developer, charactersMax.developer, ask);

  const forMs = (...files: readonly PublishedFile<unknown>[]) =>
    Math.min(...files.map(({ untilMs }) => untilMs)) - now();
  /** The file that speaks for a host: its registrable domain's, unless that delegates to the subdomain. */
  const fileOfHost = async (host: string, path: string): Promise<PublishedFile<AdsTxt>> => {
    const file = await adsTxt(siteOwnerOf(host) + path);
    return contentOf(file)?.delegates(host) ? adsTxt(host + path) : file;
  };
  /** The developer's host by the app's page in the store, else by the request. */
  const developerHost = async (page: string, domain: string): Promise<string> =>
    (page !== '' && siteHost(contentOf(await developer(page)) ?? '')) || domain;
  /** A partner's ads.txt counts too, also that of an app's, if the owner's file names the partner. */
  const authorization = async (
    host: string,
    path: string,
    [system, account, partner]: readonly [system: string, account: string, partner: string],
  ): Promise<FinderResult> => {
    if (host === '') return nowhere;
    const file = await fileOfHost(host, path);
    const content = contentOf(file);
    const authorizes = (said: AdsTxt) => said.authorizes(system, account);
    const finding = findingOf(file, authorizes);
    const business = content && { owner: content.ownerDomain, managers: content.managerDomains };
    if (finding !== 'no' || partner === '' || !content?.sharesWith(partner))
      return { finding, business, forMs: forMs(file) };
    const shared = await adsTxt(`${partner}/ads.txt`);
    // Who is named speaks for the owner, so that a silent partner is like a missing file.
    return { finding: findingOf(shared, authorizes) ?? 'missing', business, forMs: forMs(file, shared) };
  };

  return {
    site: async (host = '') => {
      const answer = await firstAnswer(ask, `${host}/`, `www.${host}/`);
      if (answer === undefined && now() - answeredAtMs > onlineMs)
        return { finding: undefined, forMs: deadMs };
      const isLive = answer !== undefined && !isGone(answer) && !isFailing(answer.status);
      return { finding: isLive ? 'yes' : 'no', forMs: isLive ? liveMs : deadMs };
    },
    app: async (page = '') => {
      const answer = await firstAnswer(ask, page);
      if (answer?.status === 200) return { finding: 'yes', forMs: liveMs };
      // A store that refuses to answer says nothing about the app.
      return { finding: answer && isGone(answer) ? 'no' : undefined, forMs: deadMs };
    },
    'ads.txt': (host = '', system = '', account = '', partner = '') =>
      authorization(host, '/ads.txt', [system, account, partner]),
    'app-ads.txt': async (page = '', domain = '', system = '', account = '', partner = '') =>
      authorization(await developerHost(page, domain), '/app-ads.txt', [system, account, partner]),
    'sellers.json': async (system = '', account = '') => {
      const host = siteHost(system);
      if (host === '') return nowhere;
      const file = await sellersJson(`${host}/sellers.json`);
      return { finding: findingOf(file, (ids) => ids.has(account.trim())), forMs: forMs(file) };
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
