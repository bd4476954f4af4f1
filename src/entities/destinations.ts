type Values = Readonly<Record<string, unknown>>;

/** Where objects with Mails and a WebhookUrl are sent: to each address by itself, and to the URL. */
export function destinationsOf({
  Mails,
  WebhookUrl,
}: Values): { readonly channel: 'mail' | 'webhook'; readonly target: string }[] {
  const mails = [...new Set((Mails ?? []) as readonly string[])];
  return [
    ...mails.map((target) => ({ channel: 'mail', target }) as const),
    ...(WebhookUrl ? [{ channel: 'webhook', target: String(WebhookUrl) } as const] : []),
  ];
}
