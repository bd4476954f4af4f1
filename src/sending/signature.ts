import { createHmac } from 'node:crypto';

export interface SignedBody {
  /** The same in every attempt, so that receivers recognize repeats. */
  readonly id: string;
  /** Of the attempt, in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** HMAC-SHA256 over ID, time and body (Standard Webhooks); the secret is base64url of the key. @internal */
export const signatureOf = (secret: string, { id, timestamp, body }: SignedBody): string =>
  createHmac('sha256', Buffer.from(secret, 'base64url'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');

/** Prove that a body is ours and new: one signature per secret. */
export const signedHeaders = (secrets: readonly string[], signed: SignedBody): Record<string, string> => ({
  'webhook-id': signed.id,
  'webhook-timestamp': String(signed.timestamp),
  'webhook-signature': secrets.map((secret) => `v1,${signatureOf(secret, signed)}`).join(' '),
});
