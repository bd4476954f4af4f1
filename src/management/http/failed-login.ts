import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** A text in one word: all but letters, digits and few signs as `%`, as in a URL. */
function inOneWord(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@').replaceAll('%2B', '+');
}

/** Logs a failed login in the form that the filter of docs/operations.md reads, the name in one word. */
export function logFailedLogin(
  { log, id }: Pick<FastifyRequest, 'log' | 'id'>,
  { username, address }: { readonly username: string; readonly address: string },
): void {
  const from = isIP(address) === 0 ? 'unknown' : address;
  log.warn({ requestId: id }, `failed login from ${from} as ${inOneWord(username)}`);
}
