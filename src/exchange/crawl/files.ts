import type { OutboundAnswer } from '../demand/demand-kind.ts';
import type { Fetcher } from '../demand/outbound/fetcher.ts';
import { createRecent } from '../reading/recent.ts';
import { siteOwnerOf } from '../reading/site-host.ts';
import type { InTurn } from './turns.ts';

/** A file as it was read; `missing`, it is not there; `unknown`, whether it is there could not be found out. */
export type File<Content> = { readonly content: Content } | 'missing' | 'unknown';

/** How long each state of a file is kept: what is published stands for a day, what fails may work soon. */
const keptMs = { found: 24 * 3_600_000, missing: 6 * 3_600_000, unknown: 15 * 60_000 };

/** How long news of a file are good. */
export function keptFor(file: File<unknown>): number {
  return typeof file === 'string' ? keptMs[file] : keptMs.found;
}

const deadlineMs = 30_000;

/** What answers at a URL; a status of 0 is what is no good HTTP, or longer than is read. */
export type Answer = Pick<OutboundAnswer, 'status' | 'body'>;

/** Asks a URL; undefined where nothing answers there. */
export type Ask = (url: string) => Promise<Answer | undefined>;

/** Asks hosts in turn, each owner for one thing at a time. */
export function createAsk(fetch: Fetcher['fetch'], inTurn: InTurn, userAgent: string): Ask {
  const headers = { 'user-agent': userAgent };
  return async (url) => {
    const answer = await inTurn(siteOwnerOf(url), () => fetch({ method: 'GET', url, headers }, deadlineMs));
    if (!('reason' in answer)) return answer;
    return answer.reason === 'invalid_response' ? { status: 0, body: '' } : undefined;
  };
}

/** The first answer for some places (URLs without a scheme), each asked over HTTPS and where nothing answers over HTTP. */
export async function firstAnswer(ask: Ask, ...places: readonly string[]): Promise<Answer | undefined> {
  for (const place of places) {
    const answer = (await ask(`https://${place}`)) ?? (await ask(`http://${place}`));
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** Whether an answer says nothing of what it was asked for: it may say more when it is asked again. */
const isVague = ({ status }: Answer) => status === 0 || status === 429 || status >= 500;

/**
 * Files of one form, each fetched once for all that ask meanwhile, and remembered. A file is named by its place;
 * `read` answers undefined for what is no such file.
 */
export function createFiles<Content>(options: {
  readonly ask: Ask;
  readonly read: (text: string) => Content | undefined;
  readonly filesMax: number;
  readonly now: () => number;
}) {
  const { ask, read, filesMax, now } = options;
  const files = createRecent<string, { file: Promise<File<Content>>; untilMs: number }>(filesMax);
  const fetchFile = async (place: string): Promise<File<Content>> => {
    const answer = await firstAnswer(ask, place);
    if (answer === undefined || isVague(answer)) return 'unknown';
    const content = answer.status === 200 ? read(answer.body) : undefined;
    return content === undefined ? 'missing' : { content };
  };
  return async (place: string): Promise<File<Content>> => {
    const known = files.get(place);
    if (known !== undefined && known.untilMs > now()) return known.file;
    const entry = { file: fetchFile(place), untilMs: Number.POSITIVE_INFINITY };
    files.set(place, entry);
    entry.untilMs = now() + keptFor(await entry.file);
    return entry.file;
  };
}
