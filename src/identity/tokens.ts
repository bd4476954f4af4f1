import { hash, randomBytes } from 'node:crypto';

/** Random bytes from the operating system, or from a test. */
export type Random = (bytes: number) => Buffer;

const tokenBytes = 32;

/** Length of every token: 256 bits in base64url. */
export const tokenCharacters = 43;

/** A session of the console ends when it was not used for so long. */
export const consoleIdleMs = 3_600_000;

/** A new access token or API key: 256 random bits, URL-safe (reference, A3). */
export function newToken(random: Random = randomBytes): string {
  return random(tokenBytes).toString('base64url');
}

/** What the database keeps of a token: its SHA-256, in hex. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}
