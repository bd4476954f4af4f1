import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { type Crawled, type CrawlNews, createCrawled, type Subject } from '../exchange/crawl/crawled.ts';
import { type CrawlerStart, crawlerThread } from './crawler-thread.ts';
import type { Crew } from './crew.ts';

/** What the threads tell each other. */
const topics = { asked: 'crawl', found: 'crawled' } as const;

const underWayMax = 10_000;
/** Enough for the largest files; what strangers publish can at worst end the thread that reads it. */
const heapMegabytesMax = 1024;

/** What a thread knows of what others publish, and the crawler behind it. */
export interface Crawling {
  readonly crawled: Crawled;
  close(): void;
}

/** How crawling is started. */
export interface CrawlingOptions {
  readonly crew: Pick<Crew, 'number' | 'peers'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly proxy: string | undefined;
  /** Where this exchange is reached; known once it listens. */
  readonly url: () => string;
}

/** The crawler, in a thread of its own, which begins with the first subject: most exchanges check nothing. */
function createCrawlerHost(
  start: () => CrawlerStart,
  learn: (news: CrawlNews) => void,
  logger: CrawlingOptions['logger'],
) {
  let worker: Worker | undefined;
  const underWay = new Set<Subject>();
  const begin = (): Worker => {
    const fresh = new Worker(new URL(crawlerThread), {
      workerData: start(),
      name: 'bourse-crawler',
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    });
    fresh.unref();
    fresh.on('message', (news: CrawlNews) => {
      underWay.delete(news.subject);
      learn(news);
    });
    fresh.on('error', (error) =>
      logger.warn({ err: error }, 'the crawler failed; it begins again when it is asked'),
    );
    fresh.on('exit', () => {
      underWay.clear();
      worker = undefined;
    });
    return fresh;
  };
  return {
    ask(subject: Subject): void {
      if (underWay.size >= underWayMax || underWay.has(subject)) return;
      underWay.add(subject);
      worker ??= begin();
      worker.postMessage(subject);
    },
    close: () => void worker?.terminate(),
  };
}

/** Starts what this thread needs: the first one has the crawler, the others ask it, and all learn what it finds. */
export function startCrawling({ crew, logger, now, proxy, url }: CrawlingOptions): Crawling {
  const { number, peers } = crew;
  const ownSystem = () => URL.parse(url())?.hostname ?? '';
  if (number > 0) {
    const known = createCrawled({ ask: (subject) => peers.tell(topics.asked, subject), now, ownSystem });
    peers.on(topics.found, (news) => known.learn(news as CrawlNews));
    return { crawled: known, close: () => undefined };
  }
  const learn = (news: CrawlNews) => {
    known.learn(news);
    peers.tell(topics.found, news);
  };
  const start = () => ({ proxy, userAgent: `Mozilla/5.0 (compatible; Bourse; +${url()})` });
  const host = createCrawlerHost(start, learn, logger);
  const known = createCrawled({ ask: host.ask, now, ownSystem });
  peers.on(topics.asked, (subject) => host.ask(subject as Subject));
  return { crawled: known, close: host.close };
}
