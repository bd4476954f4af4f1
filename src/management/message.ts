import { destinationsOf } from '../entities/destinations.ts';
import { formerSecretsIn } from '../entities/former-secrets.ts';
import type { StoredObject } from '../store/interface.ts';
import type { Destination } from '../store/sending/interface.ts';

export function currentSecrets({ document }: StoredObject, nowMs: number): string[] {
  const former = formerSecretsIn(document)?.WebhookSecret ?? [];
  const working = former.filter(({ UntilMs }) => UntilMs > nowMs).map(({ Value }) => Value);
  return [String(document.WebhookSecret), ...working];
}

/** Addresses that were removed get nothing more, not even what failed before. */
export const hasDestination = ({ document }: StoredObject, { channel, target }: Destination): boolean =>
  destinationsOf(document).some((to) => to.channel === channel && to.target === target);

export const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
