import { hash } from 'node:crypto';

/**
 * What delivery knows of a credential: SHA-256 as base64url; `""` of none. Credentials are 192 random bits, so that
 * nobody finds one by its hash, and a key would help nobody: it would lie beside the hashes.
 */
export function credentialHash(credential: string): string {
  return credential === '' ? '' : hash('sha256', credential, 'base64url');
}
