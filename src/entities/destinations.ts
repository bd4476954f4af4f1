type Values = Readonly<Record<string, unknown>>;

/** Each address by itself, and the URL. */
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
