import type { Values } from '../store/interface.ts';
import type { Destination } from '../store/sending/interface.ts';

/** Where a report is sent: to each address by itself, and to its URL. */
export function destinationsOf({ Mails, WebhookUrl }: Values): Destination[] {
  const mails = [...new Set((Mails ?? []) as readonly string[])];
  return [
    ...mails.map((target) => ({ channel: 'mail', target }) as const),
    ...(WebhookUrl ? [{ channel: 'webhook', target: String(WebhookUrl) } as const] : []),
  ];
}
