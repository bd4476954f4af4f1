import { createHmac } from 'node:crypto';

export interface SignedBody {
  /** The same in every attempt, so that receivers know a repetition. */
  readonly id: string;
  /** Seconds since 1970 of the attempt. */
  readonly timestamp: number;
  readonly body: string;
}

/** HMAC-SHA256 over ID, time and body, as Standard Webhooks has it; the secret is base64url of the key. @internal */
export const signatureOf = (secret: string, { id, timestamp, body }: SignedBody): string =>
  createHmac('sha256', Buffer.from(secret, 'base64url'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');

/** Headers by which a receiver knows that a body is ours and new: one signature for each secret. */
export const signedHeaders = (secrets: readonly string[], signed: SignedBody): Record<string, string> => ({
  'webhook-id': signed.id,
  'webhook-timestamp': String(signed.timestamp),
  'webhook-signature': secrets.map((secret) => `v1,${signatureOf(secret, signed)}`).join(' '),
});
