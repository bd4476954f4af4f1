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
import {
  createVendorLists,
  isVendorList,
  type VendorListResult,
  type VendorListSubject,
  type VendorLists,
} from '../exchange/vendor-lists.ts';
import type { NumberedThread } from '../threads/thread-channel.ts';
import { type CrawlerStart, crawlerThread } from './crawler-thread.ts';
import { createVendorListHost } from './vendor-list-host.ts';

const topics = { asked: 'crawl', found: 'crawled', vendorLists: 'vendor lists' } as const;

const underWayMax = 10_000;
/** Enough for the largest files; a larger one ends only the crawler's thread. */
const heapMegabytesMax = 1024;
/** The subject at which it failed may be asked for again at once. */
const restMs = 10_000;

type CrawlOutcome = Finding | 'unknown';
const outcomes: readonly CrawlOutcome[] = ['yes', 'no', 'missing', 'unknown'];

type Asked = Subject | VendorListSubject;
type Found = CrawlResult | VendorListResult;

const isVendorListResult = (news: Found): news is VendorListResult => isVendorList(news.subject);

export interface Crawling {
  readonly findings: CrawlFindings;
  readonly vendorLists: VendorLists;
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
  { logger, now, proxy, url, workerUrl = crawlerThread, vendorListUrl = iabUrl }: CrawlingOptions,
  learn: (news: Found) => void,
) {
  let worker: Worker | undefined;
  let beginsAtMs = Number.NEGATIVE_INFINITY;
  const underWay = new Set<Asked>();
  const begin = (): Worker => {
    const userAgent = `Mozilla/5.0 (compatible; Bourse; +${url()})`;
    const start: CrawlerStart = { proxy, userAgent, vendorListUrl };
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

/** In the threads after the first, which ask it. */
function followCrawling({ now, url, threadGroup }: CrawlingOptions): Crawling {
  const { channel } = threadGroup;
  const ask = (subject: Asked) => channel.publish(topics.asked, subject);
  const findings = createCrawlFindings({ ask, now, ownSystem: () => ownHost(url()) });
  const vendorLists = createVendorLists({ ask, now });
  const learn = (news: Found) => (isVendorListResult(news) ? vendorLists.learn(news) : findings.learn(news));
  channel.subscribe(topics.found, (news) => learn(news as Found));
  // A thread that starts anew was not there when they came.
  void channel.request(topics.vendorLists).then((answers) => (answers as Found[][]).flat().forEach(learn));
  return { findings, vendorLists, metrics: () => [], close: () => undefined };
}

/** The first thread has the crawler, the others ask it, and all learn what it finds. */
export function startCrawling(options: CrawlingOptions): Crawling {
  const { now, url, threadGroup, gvlFile, logger } = options;
  const { number, channel } = threadGroup;
  if (number > 0) return followCrawling(options);
  const counted = countFindings();
  const worker = createCrawlerWorker(options, (news) => {
    if (isVendorListResult(news)) {
      host.note(news);
      vendorLists.learn(news);
    } else {
      counted.note(news);
      findings.learn(news);
    }
    channel.publish(topics.found, news);
  });
  const host = createVendorListHost({ read: worker.ask, file: gvlFile, logger, now });
  const findings = createCrawlFindings({ ask: worker.ask, now, ownSystem: () => ownHost(url()) });
  const vendorLists = createVendorLists({ ask: host.ask, now });
  channel.subscribe(topics.asked, (asked) => {
    const subject = asked as Asked;
    return isVendorList(subject) ? host.ask(subject) : worker.ask(subject);
  });
  channel.respond(topics.vendorLists, async () => host.known());
  const version = () =>
    gauge(
      'bourse_vendor_list_version',
      'Version of the newest Global Vendor List that is known; 0 = none, and only consent counts',
      vendorLists.newest(),
    );
  return {
    findings,
    vendorLists,
    metrics: () => [...counted.figures(), version()],
    close() {
      void host.close();
      worker.close();
    },
  };
}
