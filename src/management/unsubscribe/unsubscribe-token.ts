import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Store } from '../../store/interface.ts';

/** Whom a link takes off which report. */
export interface Subscription {
  readonly teamId: number;
  readonly reportId: number;
  readonly address: string;
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Longer than that of the longest address. */
const tokenCharactersMax = 1024;

const secretOf = ({ secret }: Pick<Store, 'secret'>) => secret('unsubscribe');

/** For one address and one report, for ever; only this installation can make and read it. */
async function unsubscribeToken(
  store: Pick<Store, 'secret'>,
  { teamId, reportId, address }: Subscription,
): Promise<string> {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, await secretOf(store), nonce);
  const text = JSON.stringify([teamId, reportId, address]);
  const sealed = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()]);
  return Buffer.concat([nonce, encryption.getAuthTag(), sealed]).toString('base64url');
}

/** Undefined if it is not ours, or was changed. */
export async function subscriptionOf(
  store: Pick<Store, 'secret'>,
  token: string,
): Promise<Subscription | undefined> {
  const bytes = token.length > tokenCharactersMax ? Buffer.alloc(0) : Buffer.from(token, 'base64url');
  if (bytes.length <= nonceBytes + tagBytes || bytes.toString('base64url') !== token) return undefined;
  const decryption = createDecipheriv(cipher, await secretOf(store), bytes.subarray(0, nonceBytes));
  decryption.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    const text = decryption.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8');
    const [teamId, reportId, address] = JSON.parse(text + decryption.final('utf8'));
    return { teamId, reportId, address };
  } catch {
    return undefined;
  }
}

/** A page for people, and one click for mail programs (RFC 8058). */
export const unsubscribeUrl = async (
  store: Pick<Store, 'secret'>,
  consoleUrl: string,
  subscription: Subscription,
): Promise<string> => `${consoleUrl}/unsubscribe?token=${await unsubscribeToken(store, subscription)}`;
