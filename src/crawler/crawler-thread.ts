import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Subject } from '../exchange/crawl/crawl-findings.ts';
import { createCrawler } from '../exchange/crawl/crawler.ts';
import { createRatesReader, ratesBytesMax } from '../exchange/crawl/read-published-rates.ts';
import { createVendorListReader, vendorListBytesMax } from '../exchange/crawl/read-vendor-list.ts';
import { createFetcher } from '../exchange/demand/outbound/fetcher.ts';
import { isRates, type RatesSubject } from '../exchange/rates.ts';
import { isVendorList, type VendorListSubject } from '../exchange/vendor-lists.ts';

export interface CrawlerStart {
  readonly proxy: string | undefined;
  readonly userAgent: string;
  readonly vendorListUrl: string;
  readonly ratesUrl: string;
}

/** Run by the thread. */
export const crawlerThread = import.meta.url;

const megabyte = 1_048_576;
/** `short`: stores' pages and ads.txt; `long`: sellers.json, which may list a million sellers. */
const answerBytesMax = { short: 4 * megabyte, long: 128 * megabyte };

function isStart(data: unknown): data is CrawlerStart {
  return typeof data === 'object' && data !== null && 'userAgent' in data;
}

function crawlFor(port: MessagePort, { proxy, userAgent, vendorListUrl, ratesUrl }: CrawlerStart): void {
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
  const readRates = createRatesReader({ fetch: fetcher(ratesBytesMax), userAgent, url: ratesUrl });
  const read = (subject: Subject | VendorListSubject | RatesSubject) => {
    if (isVendorList(subject)) return readVendorList(subject);
    return isRates(subject) ? readRates(subject) : crawl(subject);
  };
  port.on('message', async (subject) => port.postMessage(await read(subject)));
}

if (parentPort && isStart(workerData)) crawlFor(parentPort, workerData);
