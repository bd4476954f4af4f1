import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import {
  type CrawlFindings,
  type CrawlResult,
  createCrawlFindings,
  type Finding,
  type Subject,
  subjectKindOf,
  subjectKinds,
} from '../exchange/crawl/crawl-findings.ts';
import { vendorListUrl as iabUrl } from '../exchange/crawl/read-vendor-list.ts';
import { counter, createNestedCounts, gauge, type Metric } from '../exchange/metrics/metric.ts';
import { ownHost } from '../exchange/own-host.ts';
import { createRates, isRates, type Rates, type RatesResult, type RatesSubject } from '../exchange/rates.ts';
import {
  createVendorLists,
  isVendorList,
  type VendorListResult,
  type VendorListSubject,
  type VendorLists,
} from '../exchange/vendor-lists.ts';
import type { NumberedThread } from '../threads/thread-channel.ts';
import { type CrawlerStart, crawlerThread } from './crawler-thread.ts';
import { createRatesHost } from './rates-host.ts';
import { createVendorListHost } from './vendor-list-host.ts';

const topics = { asked: 'crawl', found: 'crawled', published: 'published' } as const;

const underWayMax = 10_000;
/** Enough for the largest files; a larger one ends only the crawler's thread. */
const heapMegabytesMax = 1024;
/** The subject at which it failed may be asked for again at once. */
const restMs = 10_000;

type CrawlOutcome = Finding | 'unknown';
const outcomes: readonly CrawlOutcome[] = ['yes', 'no', 'missing', 'unknown'];

type Asked = Subject | VendorListSubject | RatesSubject;
type Found = CrawlResult | VendorListResult | RatesResult;

const isVendorListResult = (news: Found): news is VendorListResult => isVendorList(news.subject);
const isRatesResult = (news: Found): news is RatesResult => isRates(news.subject);

export interface Crawling {
  readonly findings: CrawlFindings;
  readonly vendorLists: VendorLists;
  readonly rates: Rates;
  /** Since the start, for operators. */
  metrics(): Metric[];
  close(): void;
}

export interface CrawlingOptions {
  readonly threadGroup: NumberedThread;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly now: () => number;
  readonly proxy: string | undefined;
  /** Where this exchange is reached; known once it listens. */
  readonly url: () => string;
  /** A Global Vendor List, or a folder of them, in place of those that are fetched. */
  readonly gvlFile: string | undefined;
  /** `BOURSE_RATES_URL`, `BOURSE_RATES_FILE` and `BOURSE_RATES_DAYS`. */
  readonly ratesUrl: string;
  readonly ratesFile: string | undefined;
  readonly ratesDays: number;
  /** By default the IAB's; for tests. */
  readonly vendorListUrl?: string;
  /** By default the crawler itself; for tests. */
  readonly workerUrl?: string;
}

function countFindings() {
  const byKind = createNestedCounts(subjectKinds, outcomes);
  return {
    note: ({ subject, finding }: CrawlResult) =>
      void byKind.add(subjectKindOf(subject), finding ?? 'unknown'),
    figures: (): Metric[] => [
      counter(
        'bourse_crawled_total',
        'Crawled subjects by kind and finding; unknown = it could not be found out',
        byKind.values('kind', 'finding'),
      ),
    ],
  };
}

function createCrawlerWorker(
  { logger, now, proxy, url, workerUrl = crawlerThread, vendorListUrl = iabUrl, ratesUrl }: CrawlingOptions,
  learn: (news: Found) => void,
) {
  let worker: Worker | undefined;
  let beginsAtMs = Number.NEGATIVE_INFINITY;
  const underWay = new Set<Asked>();
  const begin = (): Worker => {
    const userAgent = `Mozilla/5.0 (compatible; Bourse; +${url()})`;
    const start: CrawlerStart = { proxy, userAgent, vendorListUrl, ratesUrl };
    const fresh = new Worker(new URL(workerUrl), {
      workerData: start,
      name: 'bourse-crawler',
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    });
    fresh.unref();
    fresh.on('message', (news: Found) => {
      underWay.delete(news.subject);
      learn(news);
    });
    fresh.on('error', (error) => {
      beginsAtMs = now() + restMs;
      logger.warn({ err: error }, 'the crawler failed; it starts again with the next request');
    });
    fresh.on('exit', () => {
      underWay.clear();
      worker = undefined;
    });
    return fresh;
  };
  return {
    ask(subject: Asked): void {
      if (underWay.size >= underWayMax || underWay.has(subject)) return;
      if (worker === undefined && now() < beginsAtMs) return;
      underWay.add(subject);
      worker ??= begin();
      worker.postMessage(subject);
    },
    close: () => void worker?.terminate(),
  };
}

/** What a thread knows, and whom it asks. */
function createKnowledge({ now, url, ratesDays }: CrawlingOptions, ask: (subject: Asked) => void) {
  const findings = createCrawlFindings({ ask, now, ownSystem: () => ownHost(url()) });
  const vendorLists = createVendorLists({ ask, now });
  const rates = createRates({ ask, now, days: ratesDays });
  const learn = (news: Found) => {
    if (isVendorListResult(news)) vendorLists.learn(news);
    else if (isRatesResult(news)) rates.learn(news);
    else findings.learn(news);
  };
  return { findings, vendorLists, rates, learn };
}

/** In the threads after the first, which ask it. */
function followCrawling(options: CrawlingOptions): Crawling {
  const { channel } = options.threadGroup;
  const ask = (subject: Asked) => channel.publish(topics.asked, subject);
  const { learn, ...known } = createKnowledge(options, ask);
  channel.subscribe(topics.found, (news) => learn(news as Found));
  // A thread that starts anew was not there when they came.
  void channel.request(topics.published).then((answers) => (answers as Found[][]).flat().forEach(learn));
  return { ...known, metrics: () => [], close: () => undefined };
}

/** The first thread has the crawler, the others ask it, and all learn what it finds. */
export function startCrawling(options: CrawlingOptions): Crawling {
  const { now, threadGroup, gvlFile, ratesFile, logger } = options;
  const { number, channel } = threadGroup;
  if (number > 0) return followCrawling(options);
  const counted = countFindings();
  const worker = createCrawlerWorker(options, (news) => {
    if (isVendorListResult(news)) lists.note(news);
    else if (isRatesResult(news)) ratesHost.note(news);
    else counted.note(news);
    learn(news);
    channel.publish(topics.found, news);
  });
  const lists = createVendorListHost({ read: worker.ask, file: gvlFile, logger, now });
  const ratesHost = createRatesHost({ read: worker.ask, file: ratesFile, logger, now });
  const ask = (subject: Asked): void => {
    if (isVendorList(subject)) lists.ask(subject);
    else if (isRates(subject)) ratesHost.ask(subject);
    else worker.ask(subject);
  };
  const { learn, ...known } = createKnowledge(options, ask);
  channel.subscribe(topics.asked, (asked) => ask(asked as Asked));
  channel.respond(topics.published, async () => [...lists.known(), ...ratesHost.known()]);
  const published = () => [
    gauge(
      'bourse_vendor_list_version',
      'Version of the newest Global Vendor List that is known; 0 = none, and only consent counts',
      known.vendorLists.newest(),
    ),
    gauge(
      'bourse_rates_published_seconds',
      'Day of the exchange rates, in seconds since 1970; 0 = none are known, and only USD is accepted',
      known.rates.publishedMs() / 1000,
    ),
  ];
  return {
    ...known,
    metrics: () => [...counted.figures(), ...published()],
    close() {
      void lists.close();
      void ratesHost.close();
      worker.close();
    },
  };
}
