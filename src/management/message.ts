import { destinationsOf } from '../entities/destinations.ts';
import { formerSecretsIn } from '../entities/former-secrets.ts';
import type { StoredObject } from '../store/interface.ts';
import type { Destination } from '../store/sending/interface.ts';

/** What became of it. */
export interface Delivery {
  /** `""` = nothing is wrong. */
  readonly error: string;
  /** What the receiver said, as JSON; with it, an error does not lead to another attempt. */
  readonly result?: string;
}

/** A POST that is not signed, with the receiver's own credentials. */
export interface Call {
  readonly url: string;
  /** Lines of `Name: value`. */
  readonly headers: string;
  readonly readAnswer: (text: string) => Delivery;
}

/** To a mail address the subject, text and file, to a URL the body. */
export interface Message {
  readonly subject: string;
  readonly text: string;
  readonly file: { readonly name: string; readonly text: string } | undefined;
  /** Ends it by one click (RFC 8058); absent if that is impossible. */
  readonly unsubscribeUrl?: string;
  /** JSON. */
  readonly body: string;
  /** Signing keys: the current one, and former ones that still work. */
  readonly secrets: readonly string[];
  /** In the place of the signed POST. */
  readonly call?: Call;
}

export function currentSecrets({ document }: StoredObject, nowMs: number): string[] {
  const former = formerSecretsIn(document)?.WebhookSecret ?? [];
  const working = former.filter(({ UntilMs }) => UntilMs > nowMs).map(({ Value }) => Value);
  return [String(document.WebhookSecret), ...working];
}

/** Addresses that were removed get nothing more, not even what failed before. */
export const hasDestination = ({ document }: StoredObject, { channel, target }: Destination): boolean =>
  destinationsOf(document).some((to) => to.channel === channel && to.target === target);

export const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
