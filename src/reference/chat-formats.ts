/** Chat services whose incoming webhooks take a form of their own, with the hosts of their URLs. */
export const chatFormats = {
  Slack: { label: 'Slack: an incoming webhook', hosts: ['hooks.slack.com'] },
  Teams: {
    label: 'Microsoft Teams: a workflow that posts webhook requests to a channel',
    hosts: ['logic.azure.com', 'api.powerplatform.com', 'webhook.office.com'],
  },
  Discord: { label: 'Discord: a webhook of a channel', hosts: ['discord.com', 'discordapp.com'] },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly hosts: readonly string[] }>>;

export type ChatFormat = keyof typeof chatFormats;

const isOf = (host: string, known: string) => host === known || host.endsWith(`.${known}`);

/** The service that a URL belongs to; `""` if it is none of these. */
export function chatFormatOf(url: string): ChatFormat | '' {
  const { hostname = '' } = URL.parse(url) ?? {};
  const found = Object.entries(chatFormats).find(([, { hosts }]) =>
    hosts.some((host) => isOf(hostname, host)),
  );
  return found ? (found[0] as ChatFormat) : '';
}
