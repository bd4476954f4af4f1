import { readFile, stat } from 'node:fs/promises';
import type { Fetcher } from '../demand/outbound/fetcher.ts';

const deadlineMs = 30_000;

export interface PublishedTextOptions {
  readonly fetch: Fetcher['fetch'];
  readonly userAgent: string;
  readonly bytesMax: number;
}

/** The text at a URL or in a file, or why there is none: what `read` throws, too. Never rejects. */
export function createTextReader({ fetch, userAgent, bytesMax }: PublishedTextOptions) {
  const textIn = async (path: string): Promise<string> => {
    const { size } = await stat(path);
    if (size > bytesMax) throw new Error(`it has more than ${bytesMax} bytes`);
    return readFile(path, 'utf8');
  };
  const textAt = async (url: string): Promise<string> => {
    const request = { method: 'GET', url, headers: { 'user-agent': userAgent } } as const;
    const answer = await fetch(request, deadlineMs);
    if ('reason' in answer) throw new Error(answer.reason);
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    return answer.body;
  };
  return async <Value>(
    place: { readonly url: string } | { readonly path: string },
    read: (text: string) => Value,
  ): Promise<{ readonly value: Value } | { readonly fault: string }> => {
    try {
      return { value: read(await ('path' in place ? textIn(place.path) : textAt(place.url))) };
    } catch (error) {
      const name = 'path' in place ? place.path : place.url;
      return { fault: `${name}: ${error instanceof Error ? error.message : error}` };
    }
  };
}
