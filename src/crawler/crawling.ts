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
import { counter, createNestedCounts, type Metric } from '../exchange/metrics/metric.ts';
import { ownHost } from '../exchange/own-host.ts';
import type { NumberedThread } from '../threads/thread-channel.ts';
import { type CrawlerStart, crawlerThread } from './crawler-thread.ts';

const topics = { asked: 'crawl', found: 'crawled' } as const;

const underWayMax = 10_000;
/** Enough for the largest files; a larger one ends only the crawler's thread. */
const heapMegabytesMax = 1024;
/** The subject at which it failed may be asked for again at once. */
const restMs = 10_000;

type CrawlOutcome = Finding | 'unknown';
const outcomes: readonly CrawlOutcome[] = ['yes', 'no', 'missing', 'unknown'];

export interface Crawling {
  readonly findings: CrawlFindings;
  /** Since the start, for operators. */
  metrics(): Metric[];
  close(): void;
}

export interface CrawlingOptions {
  readonly threadGroup: NumberedThread;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => number;
  readonly proxy: string | undefined;
  /** Where this exchange is reached; known once it listens. */
  readonly url: () => string;
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
  { logger, now, proxy, url, workerUrl = crawlerThread }: CrawlingOptions,
  learn: (news: CrawlResult) => void,
) {
  let worker: Worker | undefined;
  let beginsAtMs = Number.NEGATIVE_INFINITY;
  const underWay = new Set<Subject>();
  const begin = (): Worker => {
    const start: CrawlerStart = { proxy, userAgent: `Mozilla/5.0 (compatible; Bourse; +${url()})` };
    const fresh = new Worker(new URL(workerUrl), {
      workerData: start,
      name: 'bourse-crawler',
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    });
    fresh.unref();
    fresh.on('message', (news: CrawlResult) => {
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
    ask(subject: Subject): void {
      if (underWay.size >= underWayMax || underWay.has(subject)) return;
      if (worker === undefined && now() < beginsAtMs) return;
      underWay.add(subject);
      worker ??= begin();
      worker.postMessage(subject);
    },
    close: () => void worker?.terminate(),
  };
}

/** The first thread has the crawler, the others ask it, and all learn what it finds. */
export function startCrawling(options: CrawlingOptions): Crawling {
  const { now, url, threadGroup } = options;
  const { number, channel } = threadGroup;
  const ownSystem = () => ownHost(url());
  if (number > 0) {
    const findings = createCrawlFindings({
      ask: (subject) => channel.publish(topics.asked, subject),
      now,
      ownSystem,
    });
    channel.subscribe(topics.found, (news) => findings.learn(news as CrawlResult));
    return { findings, metrics: () => [], close: () => undefined };
  }
  const counted = countFindings();
  const host = createCrawlerWorker(options, (news) => {
    counted.note(news);
    findings.learn(news);
    channel.publish(topics.found, news);
  });
  const findings = createCrawlFindings({ ask: host.ask, now, ownSystem });
  channel.subscribe(topics.asked, (subject) => host.ask(subject as Subject));
  return { findings, metrics: counted.figures, close: host.close };
}
