import { createRecentCache } from '../../shared/recent-cache.ts';
import type { OutboundAnswer } from '../demand/demand-kind.ts';
import type { Fetcher } from '../demand/outbound/fetcher.ts';
import { siteOwnerOf } from '../reading/site-host.ts';
import type { RunQueued } from './owner-queue.ts';

/** `unknown`: it could not be found out whether the file is there. */
export type PublishedFile<Content> = { readonly content: Content } | 'missing' | 'unknown';

/** What is published changes rarely; what fails may work soon. */
const keptMs = { found: 24 * 3_600_000, missing: 6 * 3_600_000, unknown: 15 * 60_000 };

/** In milliseconds. */
export function cacheMs(file: PublishedFile<unknown>): number {
  return typeof file === 'string' ? keptMs[file] : keptMs.found;
}

const deadlineMs = 30_000;

/** Status 0: bad HTTP, or too long an answer. */
export type FetchedText = Pick<OutboundAnswer, 'status' | 'body'>;

export type FetchUrl = (url: string) => Promise<FetchedText | undefined>;

/** Fetches URLs, one at a time per owner of hosts. */
export function createFetchUrl(fetch: Fetcher['fetch'], inTurn: RunQueued, userAgent: string): FetchUrl {
  const headers = { 'user-agent': userAgent };
  return async (url) => {
    const answer = await inTurn(siteOwnerOf(url), () => fetch({ method: 'GET', url, headers }, deadlineMs));
    if (!('reason' in answer)) return answer;
    return answer.reason === 'invalid_response' ? { status: 0, body: '' } : undefined;
  };
}

/** The first answer from these URLs without a scheme, each asked over HTTPS, then HTTP. */
export async function firstAnswer(
  ask: FetchUrl,
  ...places: readonly string[]
): Promise<FetchedText | undefined> {
  for (const place of places) {
    const answer = (await ask(`https://${place}`)) ?? (await ask(`http://${place}`));
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Whether a later try may tell if the file is there. */
const isInconclusive = ({ status }: FetchedText) => status === 0 || status === 429 || status >= 500;

/** Files of one form, fetched once and cached. `read` returns undefined for text that is not such a file. */
export function createFileCache<Content>(options: {
  readonly ask: FetchUrl;
  readonly read: (text: string) => Content | undefined;
  readonly filesMax: number;
  readonly now: () => number;
}) {
  const { ask, read, filesMax, now } = options;
  const files = createRecentCache<string, { file: Promise<PublishedFile<Content>>; untilMs: number }>(
    filesMax,
  );
  const fetchFile = async (place: string): Promise<PublishedFile<Content>> => {
    const answer = await firstAnswer(ask, place);
    if (answer === undefined || isInconclusive(answer)) return 'unknown';
    const content = answer.status === 200 ? read(answer.body) : undefined;
    return content === undefined ? 'missing' : { content };
  };
  return async (place: string): Promise<PublishedFile<Content>> => {
    const known = files.get(place);
    if (known !== undefined && known.untilMs > now()) return known.file;
    const entry = { file: fetchFile(place), untilMs: Number.POSITIVE_INFINITY };
    files.set(place, entry);
    entry.untilMs = now() + cacheMs(await entry.file);
    return entry.file;
  };
}
