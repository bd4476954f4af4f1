import { hash } from 'node:crypto';

/** SHA-256 as base64url, `""` of none. Unkeyed, because credentials are 192 random bits. */
export function credentialHash(credential: string): string {
  return credential === '' ? '' : hash('sha256', credential, 'base64url');
}
