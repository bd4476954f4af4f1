import { createRecentCache } from '../../shared/recent-cache.ts';
import type { OutboundAnswer, Redirect } from '../demand/demand-kind.ts';
import type { Fetcher } from '../demand/outbound/fetcher.ts';
import { siteOwnerOf } from '../reading/site-host.ts';
import type { RunQueued } from './owner-queue.ts';

/** `unknown`: it could not be found out whether the file is there. */
type FileState<Content> = { readonly content: Content } | 'missing' | 'unknown';

export interface PublishedFile<Content> {
  readonly state: FileState<Content>;
  /** When it is fetched again. */
  readonly untilMs: number;
}

/** What is published changes rarely; what fails may work soon. */
export const keptMs = { found: 24 * 3_600_000, missing: 6 * 3_600_000, unknown: 15 * 60_000 };

const deadlineMs = 30_000;
/** Of memory, for an entry without content. */
const entryCharacters = 256;

/** Status 0: bad HTTP, too long an answer, or redirects that are not followed. */
export type FetchedText = OutboundAnswer;

export type FetchUrl = (url: string) => Promise<FetchedText | undefined>;

const redirectsMax = 20;

/**
 * The redirects that files of the IAB Tech Lab may have: any within the root domain, one that leaves it, and none from
 * there.
 */
export function withinRootDomain(url: string): (redirect: Redirect) => boolean {
  const owner = siteOwnerOf(url);
  return ({ status, count, from }) => status !== 303 && count <= redirectsMax && siteOwnerOf(from) === owner;
}

/** Fetches URLs, one at a time per owner of hosts. By default three redirects are followed. */
export function createFetchUrl(
  fetch: Fetcher['fetch'],
  inTurn: RunQueued,
  userAgent: string,
  redirectsOf?: typeof withinRootDomain,
): FetchUrl {
  const headers = { 'user-agent': userAgent };
  return async (url) => {
    const mayFollow = redirectsOf && { mayFollow: redirectsOf(url) };
    const request = { method: 'GET', url, headers, ...mayFollow } as const;
    const answer = await inTurn(siteOwnerOf(url), () => fetch(request, deadlineMs));
    if (!('reason' in answer)) return answer;
    return answer.reason === 'invalid_response' ? { status: 0, headers: {}, body: '' } : undefined;
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

export const isGone = ({ status }: FetchedText) => status === 404 || status === 410;

const isSuccess = ({ status }: FetchedText) => status >= 200 && status < 300;

export interface FileForm<Content> {
  /** Undefined for text that declares nothing. */
  readonly read: (text: string) => Content | undefined;
  readonly charactersOf: (content: Content) => number;
  /** Files of another type are not read; by default of any. */
  readonly contentType?: string;
  /** Whether the last file counts even where there is none anymore. */
  readonly outlivesAbsence?: boolean;
}

/**
 * Files of one form, fetched once and cached. Where one cannot be read, the last that was counts, for as long as the
 * cache has room.
 */
export function createFileCache<Content>(
  options: FileForm<Content> & {
    readonly ask: FetchUrl;
    readonly charactersMax: number;
    readonly now: () => number;
  },
) {
  const { ask, read, charactersOf, contentType = '', outlivesAbsence = false, charactersMax, now } = options;
  interface Entry {
    readonly file: Promise<PublishedFile<Content>>;
    /** The last that was read. */
    readonly last: { readonly content: Content } | undefined;
    readonly untilMs: number;
  }
  const files = createRecentCache<string, Entry>(
    charactersMax,
    (place, { last }) =>
      entryCharacters + place.length + (last === undefined ? 0 : charactersOf(last.content)),
  );
  const isOfType = ({ headers }: FetchedText) => {
    const [type = ''] = (headers['content-type'] ?? contentType).split(';');
    return contentType === '' || type.trim().toLowerCase() === contentType;
  };
  const fetchFile = async (place: string, last: Entry['last']): Promise<[FileState<Content>, number]> => {
    const answer = await firstAnswer(ask, place);
    if (answer === undefined || !(isSuccess(answer) || isGone(answer)))
      return [last ?? 'unknown', keptMs.unknown];
    const isFile = isSuccess(answer) && isOfType(answer);
    const content = isFile ? read(answer.body) : undefined;
    if (content !== undefined) return [{ content }, keptMs.found];
    const isFault = isSuccess(answer) && !isFile;
    return [(isFault || outlivesAbsence ? last : undefined) ?? 'missing', keptMs.missing];
  };
  const renew = async (place: string, before: Entry['last']): Promise<PublishedFile<Content>> => {
    const [state, forMs] = await fetchFile(place, before);
    const file = { state, untilMs: now() + forMs };
    const last = typeof state === 'object' ? state : undefined;
    files.set(place, { file: Promise.resolve(file), last, untilMs: file.untilMs });
    return file;
  };
  return (place: string): Promise<PublishedFile<Content>> => {
    const known = files.get(place);
    if (known !== undefined && known.untilMs > now()) return known.file;
    const file = renew(place, known?.last);
    files.set(place, { file, last: known?.last, untilMs: Number.POSITIVE_INFINITY });
    return file;
  };
}
