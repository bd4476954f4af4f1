import { destinationsOf } from '../entities/destinations.ts';
import { formerSecretsIn } from '../entities/former-secrets.ts';
import type { StoredObject } from '../store/interface.ts';
import type { Destination } from '../store/sending/interface.ts';

/** What is sent of an object: to a mail address the subject, the text and the file, to a URL the body. */
export interface Message {
  readonly subject: string;
  readonly text: string;
  readonly file: { readonly name: string; readonly text: string } | undefined;
  /** Where whoever gets it ends that, by one click (RFC 8058); absent where they cannot. */
  readonly unsubscribeUrl?: string;
  /** JSON. */
  readonly body: string;
  /** Keys that sign it: the present one, and former ones that still work. */
  readonly secrets: readonly string[];
}

/** The keys by which what an object sends is signed now. */
export function currentSecrets({ document }: StoredObject, nowMs: number): string[] {
  const former = formerSecretsIn(document)?.WebhookSecret ?? [];
  const working = former.filter(({ UntilMs }) => UntilMs > nowMs).map(({ Value }) => Value);
  return [String(document.WebhookSecret), ...working];
}

/** Whether an object is sent somewhere: who was taken off is sent nothing any more, not even what has failed before. */
export const hasDestination = ({ document }: StoredObject, { channel, target }: Destination): boolean =>
  destinationsOf(document).some((to) => to.channel === channel && to.target === target);

/** A text that stands in one line. */
export const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
