import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Subject } from '../exchange/crawl/crawl-findings.ts';
import { createCrawler } from '../exchange/crawl/crawler.ts';
import { createVendorListReader, vendorListBytesMax } from '../exchange/crawl/read-vendor-list.ts';
import { createFetcher } from '../exchange/demand/outbound/fetcher.ts';
import { isVendorList, type VendorListSubject } from '../exchange/vendor-lists.ts';

export interface CrawlerStart {
  readonly proxy: string | undefined;
  readonly userAgent: string;
  readonly vendorListUrl: string;
}

/** Run by the thread. */
export const crawlerThread = import.meta.url;

const megabyte = 1_048_576;
/** `short`: stores' pages and ads.txt; `long`: sellers.json, which may list a million sellers. */
const answerBytesMax = { short: 4 * megabyte, long: 128 * megabyte };

function isStart(data: unknown): data is CrawlerStart {
  return typeof data === 'object' && data !== null && 'userAgent' in data;
}

function crawlFor(port: MessagePort, { proxy, userAgent, vendorListUrl }: CrawlerStart): void {
  const fetcher = (bytesMax: number) =>
    createFetcher({ allowPrivate: false, proxy, answerBytesMax: bytesMax, callsPerOriginMax: 4 }).fetch;
  const { crawl } = createCrawler({
    fetch: fetcher(answerBytesMax.short),
    fetchLong: fetcher(answerBytesMax.long),
    now: () => performance.now(),
    userAgent,
  });
  const readVendorList = createVendorListReader({
    fetch: fetcher(vendorListBytesMax),
    userAgent,
    url: vendorListUrl,
  });
  port.on('message', async (subject: Subject | VendorListSubject) =>
    port.postMessage(isVendorList(subject) ? await readVendorList(subject) : await crawl(subject)),
  );
}

if (parentPort && isStart(workerData)) crawlFor(parentPort, workerData);
