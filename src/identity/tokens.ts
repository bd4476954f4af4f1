import { hash, randomBytes } from 'node:crypto';

/** From the operating system, or a test. */
export type Random = (bytes: number) => Buffer;

const tokenBytes = 32;

/** 256 bits in base64url. */
export const tokenCharacters = 43;

/** Without use. */
export const consoleIdleMs = 3_600_000;

/** 256 random bits, URL-safe (reference, A3). */
export function newToken(random: Random = randomBytes): string {
  return random(tokenBytes).toString('base64url');
}

/** SHA-256, in hex. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}
